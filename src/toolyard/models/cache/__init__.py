"""Completions and embeddings kept on disk."""
