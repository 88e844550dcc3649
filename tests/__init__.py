"""Tests of Regard: properties, outside witnesses, and a benchmark (python -m tests.benchmark)."""
