"""From the configuration to what the hardware modules take."""

from __future__ import annotations

from referee.config import ButtonConfig, CameraConfig, SignalConfig
from referee.hardware.buttons import ButtonPlan, plan_buttons
from referee.hardware.cameras import CameraSpec, parse_source
from referee.hardware.signals import SignalPlan

NEAREST_M = 0.1
"""Distances below this, metres, mean that the lens is left alone: no lens focuses nearer."""


def camera_spec(config: CameraConfig) -> CameraSpec:
    """The camera that is configured. Raises CameraError NOT_FOUND when its source is no camera, file or folder."""
    return parse_source(
        config.source,
        size=(config.width, config.height),
        fps=config.fps,
        distance_m=config.distance_m if config.distance_m >= NEAREST_M else None,
        mains_hz=config.mains_hz,
    )


def button_plans(config: ButtonConfig) -> tuple[ButtonPlan, ...]:
    """The buttons that are configured."""
    return plan_buttons(config.uno_pins, config.active_low)


def signal_plan(config: SignalConfig) -> SignalPlan:
    """The lamp and buzzer that are configured."""
    return SignalPlan(config.lamp_pins, config.buzzer_pins[0] if config.buzzer_pins else None, config.active_low)
