"""A review of tool documents the way models suffer from them."""
