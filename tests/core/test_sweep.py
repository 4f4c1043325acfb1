from __future__ import annotations

import pytest

from memctl.core.sweep import SweepMode, Sweeps, provider, sweep_mode, sweeps


@pytest.mark.parametrize(
    ("value", "mode"),
    [
        ("on", SweepMode.ON),
        ("off", SweepMode.OFF),
        ("auto", SweepMode.AUTO),
        (None, SweepMode.AUTO),
        ("ON", SweepMode.AUTO),
        ("", SweepMode.AUTO),
    ],
)
def test_a_mode_that_is_absent_or_unknown_is_auto(value: str | None, mode: SweepMode) -> None:
    assert sweep_mode(value) is mode


@pytest.mark.parametrize(
    ("model", "maker"),
    [
        ("Anthropic/claude", "anthropic"),
        ("anthropic", "anthropic"),
        ("openrouter/Google/gemini", "google"),
        ("OpenRouter/deepseek/deepseek-chat", "deepseek"),
        ("openrouter", "openrouter"),
        ("openrouter/", "openrouter"),
        ("openrouter/auto", "auto"),
        (" openai/x", " openai"),
    ],
)
def test_the_maker_is_the_first_part_and_behind_openrouter_the_next(model: str, maker: str) -> None:
    assert provider(model) == maker


@pytest.mark.parametrize(
    ("value", "model", "answer"),
    [
        ("on", "anthropic/x", Sweeps(True, "the sweep always runs in mode on")),
        ("off", "deepseek/x", Sweeps(False, "the sweep never runs in mode off")),
        ("auto", "", Sweeps(True, "no model is named, so none of a frontier maker")),
        (None, "anthropic/x", Sweeps(False, "auto leaves out models of anthropic")),
        ("auto", "deepseek/x", Sweeps(True, "auto includes models of deepseek")),
        (
            "always",
            "openai/x",
            Sweeps(False, "auto leaves out models of openai (the mode 'always' is unknown and counts as auto)"),
        ),
    ],
)
def test_the_answer_says_why(value: str | None, model: str, answer: Sweeps) -> None:
    assert sweeps(value, model) == answer
