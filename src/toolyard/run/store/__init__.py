"""What a run keeps: directory, records, packs."""
