"""Databases: prizes, universities, companies and other records kept elsewhere."""
