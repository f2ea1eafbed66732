"""GO, NO-GO or INCONCLUSIVE: whether a run may replace its baseline."""
