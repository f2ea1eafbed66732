"""What an answer to ToolEyes earns."""
