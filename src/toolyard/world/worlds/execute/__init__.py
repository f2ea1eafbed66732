"""Execute: Python, shell and SQL, all inside the world."""
