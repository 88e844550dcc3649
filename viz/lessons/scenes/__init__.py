"""One file for each scene."""
