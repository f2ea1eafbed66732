"""Social: an image board with threads and posts, and collectives with members, money and events."""
