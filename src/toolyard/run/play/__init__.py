"""Episodes played with a model, or without one."""
