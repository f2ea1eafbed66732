"""Tools that are one and the same under several names, found and standardised."""
