"""What an exit code means, and what to do then."""

from __future__ import annotations

from typing import NamedTuple

from memctl.errors import ExitCode

_DIGITS = 3


class ExplainedCode(NamedTuple):
    """An exit code: the sentence for it, when it comes, and what to do."""

    code: ExitCode
    meaning: str
    when: str
    mend: str


_NOTHING_CHANGED = "Nothing was changed there."
_STOPPED = "What was begun is finished or was left as it was; what was done stands in the history."

_CODES = (
    ExplainedCode(
        ExitCode.OK,
        "done, or nothing to do",
        "An empty list is 0 as well, and so are findings below --fail-on.",
        "Nothing.",
    ),
    ExplainedCode(
        ExitCode.NO,
        "the answer is no: findings, a stale index, nothing found or imported, you declined",
        "check found something of the level of --fail-on; reindex --check and check --diff found something to write;"
        " recall found nothing that fits; import-legacy imported nothing; a question was answered with no.",
        "Standard output and the summary on standard error say which.",
    ),
    ExplainedCode(
        ExitCode.USAGE,
        "wrong usage",
        "An option or a word that the command does not take, an ambiguous address, an answer that was needed where"
        " nobody can be asked, or a commit that --against does not find.",
        "memctl COMMAND --help shows the options; memctl help addresses explains the words.",
    ),
    ExplainedCode(
        ExitCode.INVALID,
        "a file or an input is not valid, or over the limit of one field",
        "What was given to an edit or an import is refused by the HQ's rules, or a file is not what it should be.",
        "Correct what the message names.",
    ),
    ExplainedCode(
        ExitCode.NOT_FOUND,
        "no such agent, memory, note or root",
        "A word means nothing that is there, or there is nothing to check.",
        "memctl list shows what there is; the hint names the nearest.",
    ),
    ExplainedCode(
        ExitCode.BUG,
        "a bug in memctl (--debug shows the traceback)",
        "Something happened that memctl does not expect.",
        "Report it, with the traceback of --debug.",
    ),
    ExplainedCode(
        ExitCode.LIMIT, "limit reached (200 memories)", _NOTHING_CHANGED, "memctl prune AGENT --older-than 180d -n."
    ),
    ExplainedCode(
        ExitCode.IO,
        "input/output error (disk full, cannot read)",
        "The system failed to read or write. What could be read was done.",
        "Mend what the message names, then run it again.",
    ),
    ExplainedCode(
        ExitCode.BUSY,
        "locked, or changed underneath: try again",
        "Another memctl works on the same store, a file was written since it was read, or it cannot be told whether an"
        f" HQ runs. {_NOTHING_CHANGED}",
        "Run it again; --wait SECONDS waits longer for a lock.",
    ),
    ExplainedCode(
        ExitCode.PROTECTED,
        "protected (user-authored, automatic memory off), or no permission",
        f"A protection or the file's mode forbids it. {_NOTHING_CHANGED}",
        "The hint names the option or the command that allows it, where there is one.",
    ),
    ExplainedCode(
        ExitCode.CONFIG,
        "configuration is wrong",
        "memctl's or CodeWhale's configuration has something that is not valid, there is no place for the history, or an"
        " HQ runs and no token was given.",
        "memctl config show tells where each value comes from; --no-history goes on without a history.",
    ),
    ExplainedCode(ExitCode.HANGUP, "stopped by HUP", _STOPPED, "memctl history shows how far it came."),
    ExplainedCode(ExitCode.INTERRUPTED, "stopped by INT", _STOPPED, "memctl history shows how far it came."),
    ExplainedCode(
        ExitCode.PIPE,
        "the reader of standard output went away",
        "Something such as head had enough of what memctl printed.",
        "Nothing, if that was meant.",
    ),
    ExplainedCode(ExitCode.TERMINATED, "stopped by TERM", _STOPPED, "memctl history shows how far it came."),
)
BY_NUMBER = {int(one.code): one for one in _CODES}


def explain_code(word: str) -> ExplainedCode | None:
    """Return what the exit code that a word is means; None for any other word."""
    if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
        return None
    return BY_NUMBER.get(int(word))
