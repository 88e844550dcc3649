"""Sentences to start from, each with something to see in it."""

EXAMPLES = (
    "I have never seen such a beautiful red car.",
    "The animal didn't cross the street because it was too tired.",
    "She gave me a red apple and a glass of cold water.",
    "I don't know why he isn't here yet.",
    "The man who lives next door is a doctor.",
    "If it rains tomorrow, we will stay at home.",
    "How are you? I am very happy to see you again.",
)

SAME_WORD = {
    "watch": ("I watch television every evening.", "My watch is broken.", "They watch the children."),
    "bank": ("We sat on the river bank.", "I have money in a bank account.", "We walked along the river bank."),
    "light": ("This bag is light.", "Turn on the light.", "My coffee is light."),
}
"""A word in one sense, in another, and in the first one again; always at the same place, so that only the other words
can make a difference."""
