"""The form of the notes: their citations, the budgets they keep, and their checks under other seeds."""
