"""Prompt safety: text that a model could take for more than background."""

from __future__ import annotations

from collections.abc import Iterator

from memctl.core.checks.rule import Finding
from memctl.core.checks.subject import CheckSettings, Subject


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what is wrong."""
    yield from ()
