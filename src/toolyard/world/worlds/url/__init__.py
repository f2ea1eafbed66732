"""URL: addresses shortened and resolved."""
