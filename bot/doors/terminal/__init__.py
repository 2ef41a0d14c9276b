"""A table in the terminal: `ridotto talk`."""
