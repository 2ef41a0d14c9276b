"""Provably fair dealing, version 2: promise, log, tree, signatures. See docs/reference/fairness-log.md."""
