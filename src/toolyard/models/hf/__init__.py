"""Hugging Face models in this process."""
