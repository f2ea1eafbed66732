"""Papers: authors, citations and abstracts of one library under three services."""
