"""Data as the pipeline shows them: receipts, cards, entries of the registry."""
