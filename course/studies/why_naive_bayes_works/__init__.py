"""Why naive Bayes classifies well although its assumption is false: exact small cases, random tables, real data."""
