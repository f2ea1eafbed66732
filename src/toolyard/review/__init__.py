"""Manual checks by several people: decisions, agreement, adjudication, and the local page for them."""
