"""Entertainment: apps, games, books and films of an app store."""
