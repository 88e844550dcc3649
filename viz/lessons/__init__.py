"""The lessons: every idea of the two texts as a scene on the real models."""
