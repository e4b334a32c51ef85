"""From looks at the table to sightings. Pure: numbers in, sightings out, time is an argument."""

from referee.tracker.looks import Activity, ArmLook, CardLook, PileLook, TableGeometry
from referee.tracker.tracker import Tracker, Want

__all__ = ["Activity", "ArmLook", "CardLook", "PileLook", "TableGeometry", "Tracker", "Want"]
