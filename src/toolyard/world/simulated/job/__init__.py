"""Vacancies, employers and occupations."""
