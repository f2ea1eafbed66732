"""MTU-Instruct: recorded dialogues turned into calls, settings, training and evaluation rows."""
