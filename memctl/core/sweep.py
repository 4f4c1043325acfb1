"""Sweep modes: whether a post-turn sweep runs for a model, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

# The makers whose models save memories reliably by themselves (spec/hq.md 13).
FRONTIER = ("anthropic", "openai", "google")


class SweepMode(StrEnum):
    """The setting of the post-turn sweep."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Sweeps(NamedTuple):
    """Whether a sweep runs, and the reason in one sentence."""

    sweeps: bool
    why: str


def sweep_mode(value: str | None) -> SweepMode:
    """Return the mode that a value of agents.json means: absent or unknown is auto (spec/hq.md 12)."""
    return SweepMode(value) if value in ("on", "off") else SweepMode.AUTO


def provider(model: str) -> str:
    """Return the maker that the auto rule looks at: the first part of the model, lower-cased.

    For OpenRouter it is the part after it: the seed says that the rule also applies to models through OpenRouter,
    and DESIGN 4.2 follows the seed.
    """
    first, _, rest = model.partition("/")
    name = first.lower()
    if name == "openrouter" and rest:
        return rest.partition("/")[0].lower()
    return name


def sweeps(value: str | None, model: str) -> Sweeps:
    """Return whether a sweep runs after a turn, for the mode as agents.json has it and the agent's model."""
    mode = sweep_mode(value)
    if mode is SweepMode.ON:
        return Sweeps(True, "the sweep always runs in mode on")
    if mode is SweepMode.OFF:
        return Sweeps(False, "the sweep never runs in mode off")
    # Says why an odd value behaves as auto, since the HQ shows it as it is.
    note = "" if value in (None, "auto") else f" (the mode '{value}' is unknown and counts as auto)"
    if not model:
        return Sweeps(True, f"no model is named, so none of a frontier maker{note}")
    maker = provider(model)
    if maker in FRONTIER:
        return Sweeps(False, f"auto leaves out models of {maker}{note}")
    return Sweeps(True, f"auto includes models of {maker}{note}")
