"""Calculators: formulas, spoken arithmetic and symbolic algebra."""
