"""A medical test counted in people, evidence that is and is not independent, and the price of a full joint table."""
