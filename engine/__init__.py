"""The rules of the five games. No I/O, no clock, no randomness, no platform, no account."""
