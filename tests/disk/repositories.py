"""Git repositories for tests, which no configuration of the machine reaches."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from memctl.core.env import Env

SURROUNDINGS = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def git(directory: Path, *words: str) -> str:
    """Run git, and return what it says."""
    done = subprocess.run(
        ["git", "-C", str(directory), *words], capture_output=True, check=True, env={**os.environ, **SURROUNDINGS}
    )
    return done.stdout.decode().strip()


def repository(directory: Path, *options: str) -> Path:
    """Make an empty repository with a branch `main`."""
    directory.mkdir(parents=True, exist_ok=True)
    git(directory, "init", "-q", "-b", "main", *options)
    return directory


def commit(directory: Path, message: str = "change") -> str:
    """Commit all that is in the work tree, and return the commit."""
    git(directory, "add", "-A", "-f")
    git(directory, "commit", "-q", "--allow-empty", "-m", message)
    return git(directory, "rev-parse", "HEAD")


def env_at(cwd: Path, **more: str) -> Env:
    """Return the surroundings of a run in a directory."""
    return Env({"PATH": os.environ["PATH"], **SURROUNDINGS, **more}, str(cwd), str(cwd), os.getuid())
