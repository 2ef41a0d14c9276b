"""The verifier: records and logs are checked against their house's commitments, by engine and the standard library."""
