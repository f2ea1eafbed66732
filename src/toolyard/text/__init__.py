"""Reading text: parsing, scanning, ReAct rounds, templates, comparing sequences. Pure."""
