"""Everything a person looks at: tables, charts, pages and files for other programs."""
