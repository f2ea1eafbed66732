"""Dialogues from the world, without a model."""
