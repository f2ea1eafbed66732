"""What ToolBeHonest asks of a model: prompts, episodes, variations."""
