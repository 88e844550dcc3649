"""Inputs, and parts that several pages use."""
