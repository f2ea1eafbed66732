"""What an answer to NesTools earns."""
