"""Measurements against other programs and against limits; never part of pytest, because clocks are not tests."""
