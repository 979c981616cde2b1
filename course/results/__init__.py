"""The committed results: the ledger of published numbers, and the check that a fresh run gives the same."""
