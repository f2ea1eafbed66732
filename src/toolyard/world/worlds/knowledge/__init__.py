"""Encyclopaedia, web, news, papers, entities, trends, art and records: one store of documents under all."""
