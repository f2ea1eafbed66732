"""Health: body formulas, and the nutrients of foods."""
