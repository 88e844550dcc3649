"""A page as blocks: what is drawn on the page is noted for the saved file by the same call."""
