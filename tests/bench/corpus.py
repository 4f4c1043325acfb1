"""Data folders of any size for the benchmark: the same arguments always give the same bytes."""

from __future__ import annotations

import json
import os
import random
import sys
from datetime import date, timedelta
from pathlib import Path

TYPES = ("user", "feedback", "project", "reference")
SOURCES = ("agent", "agent", "agent", "sweep", "sweep", "user")
TOPICS = (
    "invoices deploys reviews backups releases alerts schemas queues caches tickets reports budgets sessions webhooks"
    " dashboards fixtures migrations imports"
).split()
WORDS = (
    "before after when only each never always the a new old next first last short plain exact local shared slow fast"
    " file branch change request region quarter owner reviewer limit error retry metric page issue draft list table"
    " column field value option release tag test server worker message header token line word keep use run write read"
    " check ask show group merge copy move because unless while without between Größe 東京 naïve"
).split()
LAST_DAY = date(2026, 11, 30)


def _sentence(rng: random.Random, words: int) -> str:
    return f"{rng.choice(TOPICS)} {' '.join(rng.choices(WORDS, k=words))}"


def _memory(rng: random.Random, name: str) -> tuple[str, str, bytes]:
    """Return type, description and file of one memory; most are short, a few come near the limit."""
    kind = rng.choice(TYPES)
    description = _sentence(rng, rng.randint(4, 20))[:190]
    created = LAST_DAY - timedelta(days=rng.randrange(700))
    updated = created + timedelta(days=rng.randrange((LAST_DAY - created).days + 1))
    content = ""
    goal = min(2_000, int(rng.lognormvariate(5.9, 0.7)))
    while len(content) < goal:
        content += _sentence(rng, rng.randint(6, 16)) + rng.choice((".\n", ".\n", ".\n\n", ". "))
    head = (
        f"name: {name}\ndescription: {description}\ntype: {kind}\nsource: {rng.choice(SOURCES)}\n"
        f"created: {created}\nupdated: {updated}\n"
    )
    return kind, description, f"---\n{head}---\n{content.strip()[:2_000]}\n".encode()


def make(folder: Path, agents: int, memories: int, *, seed: int = 1) -> Path:
    """Make a data folder with so many agents of so many memories each, and return it.

    The indexes are there but short: rendering them is not what is measured.
    """
    registry = []
    for number in range(agents):
        rng = random.Random(f"{seed}/{number}")
        agent = f"{number:04x}{rng.getrandbits(16):04x}"
        registry.append(
            {
                "id": agent,
                "name": f"{rng.choice(TOPICS)}-{number}",
                "config": {
                    "name": f"agent-{number}",
                    "model": "example/model",
                    "workspace": f"/srv/workspaces/{agent}",
                },
                "status": "registered",
                "registeredAt": "2026-01-01T00:00:00.000Z",
            }
        )
        directory = folder / "memory" / agent
        directory.mkdir(parents=True)
        lines = []
        for serial in range(memories):
            name = f"{rng.choice(TOPICS)}-{rng.choice(TOPICS)}-{serial:03}"
            kind, description, data = _memory(rng, name)
            # Plain descriptors: a hundred thousand files are written here.
            descriptor = os.open(directory / f"{name}.md", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            os.write(descriptor, data)
            os.close(descriptor)
            lines.append(f"- **{name}** — {description} ({kind})\n")
        (directory / "MEMORY.md").write_text("# Memory index\n\n" + "".join(lines[:30]), encoding="utf-8")
    (folder / "agents.json").write_text(json.dumps(registry, indent=2), encoding="utf-8")
    return folder


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
