"""What makes the notes: their data, studies and figures, the ledgers, and the machinery that runs and checks them."""
