"""Players as persons: wallets, names, links between platforms, limits of their own."""
