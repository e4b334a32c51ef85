"""A simulated table: people who play by the rules and err, drawn as a camera sees them. For the demo and for tests."""

from referee.virtual_table.buttons import VirtualButtons
from referee.virtual_table.habits import HABITS, Mistakes, Restlessness
from referee.virtual_table.look import Look
from referee.virtual_table.messy import messy_script
from referee.virtual_table.players import play
from referee.virtual_table.script import Level, Press, Script, Tap
from referee.virtual_table.table import VirtualCamera, VirtualTable

__all__ = [
    "HABITS", "Level", "Look", "Mistakes", "Press", "Restlessness", "Script", "Tap", "VirtualButtons", "VirtualCamera",
    "VirtualTable", "messy_script", "play",
]  # fmt: skip
