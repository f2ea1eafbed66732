"""Tables that several worlds stand on."""
