"""Mail: a mailbox inside the world."""
