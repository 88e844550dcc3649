"""Tabs of pages that have some: a folder a page, a file a tab."""
