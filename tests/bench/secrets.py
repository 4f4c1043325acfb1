"""The secrets of `check` beside `detect-secrets scan`, on the same files: recall and precision as a table.

    python -m tests.bench.secrets [--detect-secrets PROGRAM] [--seed SEED]

Run it at the root of the sources with the Python of an environment that has memctl installed. `detect-secrets` belongs
into an environment of its own: memctl's library has its modules under the same name. Each sample is a memory's file;
one counts as found if the scanner names its file at all.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from memctl.core.checks.secrets.rules import check
from tests.core.checks.secrets.credentials import Sample, credentials, lookalikes, memory_file, other_lookalikes, others
from tests.core.checks.subjects import EVERY, a_subject, an_item


def by_memctl(folder: Path, names: Iterable[str]) -> set[str]:
    """Return the files in which memctl finds a secret."""
    items = [an_item(name, (folder / name).read_bytes()) for name in names]
    return {finding.file for finding in check(a_subject(items=items, index=None), EVERY)}


def by_detect_secrets(folder: Path, program: str) -> set[str]:
    """Return the files in which detect-secrets finds one."""
    command = [program, "scan", "--all-files", "--no-verify", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return {Path(name).name for name in json.loads(done.stdout)["results"]}


def rates(good: set[str], bad: set[str], found: set[str]) -> tuple[float, float]:
    """Return recall and precision."""
    right, wrong = len(good & found), len(bad & found)
    return right / len(good), right / max(1, right + wrong)


def write(folder: Path, samples: list[Sample], prefix: str) -> set[str]:
    """Write each sample as a memory's file; return their names."""
    names = set()
    for at, sample in enumerate(samples):
        name = f"{prefix}-{at:03}"
        (folder / f"{name}.md").write_bytes(memory_file(sample, name))
        names.add(f"{name}.md")
    return names


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--detect-secrets", default="detect-secrets", metavar="PROGRAM")
    parser.add_argument("--seed", default="")
    arguments = parser.parse_args()
    seed = arguments.seed
    sets = {
        "40 kinds": (credentials(seed=seed or "1"), lookalikes(seed=seed or "1")),
        "other kinds": (others(seed=seed or "2"), other_lookalikes(seed=seed or "2")),
    }
    print("| set | files | scanner | recall | precision |\n|---|---|---|---|---|")
    for title, (good, bad) in sets.items():
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            right, wrong = write(folder, good, "credential"), write(folder, bad, "lookalike")
            results = {
                "memctl": by_memctl(folder, right | wrong),
                "detect-secrets": by_detect_secrets(folder, arguments.detect_secrets),
            }
            for scanner, found in results.items():
                recall, precision = rates(right, wrong, found)
                print(f"| {title} | {len(right)} + {len(wrong)} | {scanner} | {recall:.1%} | {precision:.1%} |")


if __name__ == "__main__":
    main()
