"""The rules of the games. No I/O, no clock, no randomness, no platform, no account."""
