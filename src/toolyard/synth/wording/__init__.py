"""What people say: phrases of all tools, and whole requests for chains of calls."""
