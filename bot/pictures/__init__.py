"""Screens to PNG: a table as anybody may see it, a hand as its player may. Drawn from the screen alone."""

from bot.pictures.draw import digest, hand_picture, picture
from bot.pictures.faces import face_svg
from bot.pictures.worker import Renderer

__all__ = ["Renderer", "digest", "face_svg", "hand_picture", "picture"]
