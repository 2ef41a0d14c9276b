"""Provably fair dealing, version 2: commitment, log, tree, signatures. See docs/reference/fairness-log.md."""
