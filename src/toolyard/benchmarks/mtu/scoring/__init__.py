"""What an answer to MTU-Bench earns."""
