"""Casinos, the communities that share them, and the places where they speak."""
