"""Web security: reputation of addresses and hosts, scans of websites, checks of texts and phone numbers."""
