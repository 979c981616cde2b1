"""The 15 experiments of Ng and Jordan (2002): what is published, ways to run them, and how the two compare."""
