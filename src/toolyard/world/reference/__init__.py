"""What people of each field keep: one module per kind, read when first used.

A kind is either a table `data/reference/<kind>.tsv.xz` (or `.gz`), which `recipes/world_tables/<kind>.py` makes out of a
pinned package, or a small package that computes or carries it at run time. `data/sources.tsv` lists them all.
"""
