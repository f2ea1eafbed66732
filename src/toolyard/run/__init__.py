"""Samples times trials: what is asked, what is kept, what is resumed, what is scored."""
