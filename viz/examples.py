"""Sentences to start from, each with something to see in it."""

EXAMPLES = (
    "The animal didn't cross the street because it was too tired.",
    "She gave me a red apple and a glass of cold water.",
    "I don't know why he isn't here yet.",
    "My sister's old house is near the river.",
    "Where did you put the keys?",
    "If it rains tomorrow, we will stay at home and read.",
)
