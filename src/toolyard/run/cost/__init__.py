"""What a run costs and may cost."""
