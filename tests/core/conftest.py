"""What tests of the core have: a machine that is not in UTC."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest


@pytest.fixture
def elsewhere() -> Iterator[None]:
    """Take the machine to a zone 14 hours ahead of UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "EAST-14")
        time.tzset()
        yield
    time.tzset()
