"""The verifier: records and logs held against their house's commitments, by engine and the standard library."""
