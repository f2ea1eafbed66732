"""Models that a server of our own serves on this machine."""
