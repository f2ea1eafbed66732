"""Answers to the questions that scoring asks."""
