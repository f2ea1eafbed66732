"""Goods, sellers and buyers."""
