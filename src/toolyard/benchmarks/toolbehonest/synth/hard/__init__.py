"""The hard pairs: longer chains, lists of 20 to 80 tools, and a gap in the middle beside a near-miss."""
