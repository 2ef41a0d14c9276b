"""Screens as PNG: a table as anyone may see it, a hand as its player may. Drawn from the screen alone."""

from bot.view.pictures.draw import digest, hand_picture, picture
from bot.view.pictures.faces import face_svg
from bot.view.pictures.worker import Renderer

__all__ = ["Renderer", "digest", "face_svg", "hand_picture", "picture"]
