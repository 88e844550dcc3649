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
