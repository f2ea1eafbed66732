"""IP: network addresses, where they are and whose."""
