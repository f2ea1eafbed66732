"""Call chains along typed edges of the world: drawn, filled, executed, checked."""
