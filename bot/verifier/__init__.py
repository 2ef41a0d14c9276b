"""The verifier: records and logs held against their house's promises, by engine and the standard library."""
