"""Strict servers of the platforms: what the real ones refuse, these refuse."""
