"""The models behind Regard: everything from text to attention arrays, without a web page."""
