"""Findings for the tests of formats."""

from __future__ import annotations

from typing import Any

from memctl.core.checks.rule import Finding, Severity

CWD = "/code/repo"
STORE = f"{CWD}/memory/1a2b3c4d"
# Names that a directory can hold, each a trap for one format or another.
HOSTILE = [
    "line\nend.md", "re\rturn.md", "\x1b[31mred.md", "100%25.md", "a#b?c.md", "with space.md", "comma,colon:.md",
    "]]>&<\"'.md", "\udcff\udcfe.md", "grün 東京 🎉.md", "\u202edm.exe", "tab\t.md", "::error::x.md", "back\\slash.md",
]  # fmt: skip


def finding(file: str = "deploy.md", **more: Any) -> Finding:
    """Return a finding in a file of the store; '' is the store itself."""
    values = {
        "rule": "F001",
        "severity": Severity.WARNING,
        "message": "the name is not that of the file",
        "evidence": "evidence",
        "store": "1a2b3c4d",
        "path": f"{STORE}/{file}" if file else STORE,
        "fingerprint": "0123456789abcdef",
    } | more
    return Finding(file=file, **values)
