"""How the figures were counted or measured that are shipped as data: each module is run by itself."""
