"""RNN vs Transformer: one file for each tab of the page."""
