"""What a run asks: its settings made definite, its data, its samples."""
