"""Ridotto in the chats: words, commands and pages."""
