"""Provably fair dealing, version 2: promise, log, tree, signatures. docs/fairness.md tells the whole in a page."""
