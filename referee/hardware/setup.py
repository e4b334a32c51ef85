"""From the configuration to what the hardware modules take."""

from __future__ import annotations

from referee.config import ButtonConfig, CameraConfig, SignalConfig
from referee.hardware.buttons import COLOURS, ButtonPlan, Role, plan_buttons
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
        view=config.view,
    )


def button_plans(config: ButtonConfig) -> tuple[ButtonPlan, ...]:
    """The buttons that are configured."""
    by_role = {
        Role.UNO: config.uno_pins,
        Role.CATCH: config.catch_pins,
        Role.CHALLENGE: config.challenge_pins,
        Role.DRAW: config.draw_pins,
    }
    plans = [plan for role, pins in by_role.items() for plan in plan_buttons(pins, config.active_low, role)]
    colours = zip(COLOURS, config.colour_pins, strict=False)
    plans += [ButtonPlan(pin, None, config.active_low, role) for role, pin in colours]
    return tuple(plans)


def signal_plan(config: SignalConfig) -> SignalPlan:
    """The lamp and buzzer that are configured."""
    return SignalPlan(config.lamp_pins, config.buzzer_pins[0] if config.buzzer_pins else None, config.active_low)
