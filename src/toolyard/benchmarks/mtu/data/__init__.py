"""MTU-Bench rows: loading, audit, statistics."""
