"""Endpoints over HTTP: requests, answers, retries and pace."""
