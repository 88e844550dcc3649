"""What is computed from a translation before it is drawn, by subject: arrays in, arrays out."""
