"""Where Ridotto keeps what must last."""
