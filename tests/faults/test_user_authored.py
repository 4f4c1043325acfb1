"""What a person wrote or imported goes by no policy without its flag (R16)."""

from __future__ import annotations

import os
import random
import shutil
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from memctl.core.ages import cutoff
from memctl.core.filters import Filters
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.policy import Policy, select
from tests.faults.conftest import Figures, count
from tests.faults.forked import Forking
from tests.stores import AGENT, fill, memory

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DATES = ("2020-01-01", "2026-01-01", "2026-11-29", "2026-11-30", "9999-12-31", "no date", "")
OWN = (Source.USER, Source.IMPORT)


def some_memories(rolls: random.Random) -> list[Memory]:
    """Return memories of all kinds."""
    return [
        Memory(
            f"m{at}",
            rolls.choice(["about it", "staging", ""]),
            rolls.choice(list(MemoryType)),
            rolls.choice(list(Source)),
            rolls.choice(DATES),
            rolls.choice(DATES),
            "content",
        )
        for at in range(rolls.randrange(0, 12))
    ]


def some_policy(rolls: random.Random) -> Policy:
    """Return a policy without the flag: the sharpest as often as others."""
    age = rolls.choice([None, "0d", "30d", "1y", "9999-12-31"])
    return Policy(
        older_than=cutoff(age, NOW) if age else None,
        older_than_word=age or "",
        over=rolls.choice([None, 0, 1, 5]),
        filters=Filters(
            types=tuple(rolls.sample(list(MemoryType), rolls.randrange(0, 3))),
            sources=tuple(rolls.sample(list(Source), rolls.randrange(0, 3))),
            names=tuple(rolls.sample(["*", "m1*", "m?"], rolls.randrange(0, 2))),
            matching=rolls.choice(["", "staging"]),
        ),
        keep_last=rolls.choice([0, 0, 1, 3]),
        keep_within=cutoff("30d", NOW) if rolls.random() < 0.2 else None,
        no_floor=rolls.random() < 0.7,
    )


def test_no_policy_selects_what_a_person_wrote(figures: Figures) -> None:
    number = count(10_000, least=500)
    removed = there = flagged = 0
    for seed in range(number):
        rolls = random.Random(seed)
        memories, policy = some_memories(rolls), some_policy(rolls)
        removals = select(memories, policy)
        assert not [removal for removal in removals if memories[removal.position].source in OWN], (memories, policy)
        removed += len(removals)
        there += sum(one.source in OWN for one in memories)
        with_flag = select(memories, policy._replace(include_user_authored=True))
        flagged += sum(memories[removal.position].source in OWN for removal in with_flag)
    # With the flag they go: it is the flag that keeps them, not that they were never meant.
    assert min(removed, flagged) > number / 4
    figures("R16", policies=number, user_authored=there, removed_with_the_flag_alone=flagged, removed=0)


# Everything that prune can be told but the one flag.
OPTIONS = (
    ("--older-than 0d", "--over 0", "--older-than 9999-12-31 --over 0"),
    ("", "--no-floor"),
    ("", "--source user", "--source import --source user", "--type project", "--name *", "--matching about"),
    ("", "--keep-last 1", "--max-removed 100%", "--no-history", "--no-lock", "-q", "--json"),
    ("--all", AGENT, "{path}"),
)


def test_no_run_of_prune_removes_what_a_person_wrote(forking: Forking, tmp_path: Path, figures: Figures) -> None:
    runs = [" ".join(words).split() for words in product(*OPTIONS)]
    step = max(1, len(runs) // count(len(runs), least=30))
    place = tmp_path / "place"
    removed = 0
    for words in runs[::step]:
        shutil.rmtree(place, ignore_errors=True)
        sources = ("agent", "sweep", "user", "import", "odd")
        folder = fill(
            place / "memory" / AGENT,
            {f"{source}-{at}.md": memory(f"{source}-{at}", source=source) for source in sources for at in range(2)},
        )
        kept = {path: path.read_bytes() for path in folder.iterdir() if path.name.startswith(("user", "import"))}
        arguments = [word.format(path=folder) for word in words]
        env = {**os.environ, "HOME": str(place), "MEMCTL_NOW": "2026-11-30T12:00:00Z", "MEMCTL_ROOT": str(place)}
        ended = forking("prune", "-y", *arguments, env=env, cwd=place)
        assert ended.code in (0, 77), (words, ended)
        assert {path: path.read_bytes() for path in kept} == kept, (words, ended)
        removed += 10 - len([path for path in folder.iterdir() if path.name != "MEMORY.md"])
    assert removed > 0
    figures("R16", runs=len(runs[::step]))
