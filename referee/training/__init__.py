"""The recipe that makes the eye's networks again: cards, scenes, training, calibration, export."""
