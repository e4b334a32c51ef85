"""Draws playing cards of many designs: for the virtual table and for training the eye. No artwork of anyone else."""

from referee.faces.design import STYLES, Design, random_design
from referee.faces.draw import CARD_MM, draw_back, draw_blank, draw_face, draw_text_card

__all__ = ["CARD_MM", "STYLES", "Design", "draw_back", "draw_blank", "draw_face", "draw_text_card", "random_design"]
