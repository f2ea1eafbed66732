"""Music: songs, artists and charts."""
