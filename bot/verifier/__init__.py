"""The verifier: checks records and logs against their casino's commitments, with engine and the standard library
alone."""
