"""Strict servers of the platforms, which refuse what the real ones refuse."""
