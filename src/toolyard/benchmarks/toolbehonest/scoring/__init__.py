"""What an answer to ToolBeHonest earns."""
