"""Whether a server helps a model: the same tasks without it, with it, and with its documents rewritten."""
