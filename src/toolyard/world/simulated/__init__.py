"""Seeded tables: what is drawn from the seed, one table per domain. Tools show them as views."""
