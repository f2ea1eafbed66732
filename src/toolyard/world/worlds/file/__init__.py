"""Files: the world's disk, and documents on it."""
