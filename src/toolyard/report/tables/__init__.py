"""What is printed as a table, the same for terminal, Markdown and page."""
