"""The texts of `memctl help TOPIC`."""

ADDRESSES = """\
ADDRESSES

  billing-bot                an agent, by the name in its registry
  1a2b3c4d                   an agent, by its id
  billing-bot/api-migration  a memory of it
  'billing-bot/api-*'        those that fit a shell pattern (in quotes)
  @user                      the user memory of CodeWhale
  @user/3                    its third note
  ./memory/1a2b3c4d          an agent's directory
  ./memory/1a2b3c4d/x.md     a memory's file
  -                          addresses from standard input, one a line (-0: NUL)

AGENT is, in this order, an exact id, an exact name, a name in another case, a
unique prefix of an id or name of at least 4 characters. Without a terminal a
command that changes something takes exact ids and names only.

NAME is the file's name without .md; if there is no such file, the one memory
that calls itself so. Where there is one agent only, or MEMCTL_AGENT is set,
NAME alone is enough.

What memctl prints for scripts are ids, never names, so it is safe for xargs.
"""

EXIT_CODES = """\
EXIT CODES

    0  done, or nothing to do
    1  the answer is no: findings, a stale index, nothing found or imported, you
       declined
    2  wrong usage
   65  a file or an input is not valid, or over the limit of one field
   66  no such agent, memory, note or root
   70  a bug in memctl (--debug shows the traceback)
   73  limit reached (200 memories)
   74  input/output error (disk full, cannot read)
   75  locked, or changed underneath: try again
   77  protected (user-authored, automatic memory off), or no permission
   78  configuration is wrong
  129  stopped by HUP; 130 by INT; 143 by TERM
  141  the reader of standard output went away

Over several agents the first of 70, 74, 78, 77, 73, 65, 66, 75, 1 that occurred.
memctl explain CODE says when one comes, and what to do.
"""

POLICIES = """\
POLICIES OF PRUNE

A memory goes if it has a reason, fits every filter, and nothing keeps it.

Reasons add up:
  --older-than AGE          not updated for that long: 30d, 2w, 6mo, 1y, a date
  --over N                  beyond the newest N of its agent
  --orphans                 of an agent that the registry does not have any more

Filters narrow; the values of one are alternatives:
  --type TYPE  --source SOURCE  --name PATTERN  --matching TEXT

Keeps win over both:
  --keep-last N             the newest N of each agent
  --keep-within AGE         updated within that time
  user-authored memories    (source user or import), unless --include-user-authored
  the newest of an agent    unless --no-floor, or there is no such agent any more

A stored date is a day, so an age counts from the end of that day (UTC). A memory
without a readable date is never old. A bare m is refused: months are mo.

A directory of no agent goes with its last memory, and memctl undo brings both back;
it stays where it holds anything else. Without a registry that can be read memctl
takes no directory for orphaned (66).

Notes of the user memory go by their stamps; they have no type, source or name, and
nobody's authorship protects them. A note without a stamp is never old.

--max-removed N or N% removes nothing at all (77) where more would go, of one agent
or in the whole run. -n prints the same lines and removes nothing.
"""

CRON = """\
CRON

Clean up by policy, mail only when something happened:

  15 3 * * *  memctl prune --all --older-than 180d --keep-last 20 --yes --quiet

Look for what is wrong, and mail it if there is anything:

  30 6 * * *  memctl check --all --quiet --severity warning --fail-on warning

Without a terminal memctl never asks: a command that would ask ends with 2 and
names the flag. -q prints not a byte on success; errors always reach stderr, and
cron mails them. Agents are named by exact id or name there, so a prefix can never
start to mean another agent. --wait SECONDS bounds the wait for a lock (10).
"""

SAFETY = """\
SAFETY

The HQ may run and write the same files while memctl works.

- The images of each file, before and after, are on disk before the first file is
  touched. memctl undo brings bytes, mode and owner back, where the files still are as
  memctl left them; twice goes two steps back, memctl redo goes forward. They are kept
  for 90 days in ~/.local/state/memctl/history.db, which only you can read; a secret
  is removed from there with memctl history --forget ID. --no-history keeps none.
- A file is written to a temp file in its own directory, synced, and put in place
  in one step; the old file is compared with what was read, and if somebody wrote
  it meanwhile it stays, and memctl ends with 75.
- A directory is locked while memctl changes it, against other memctl runs. The
  lock is on the directory itself, ends with the process and leaves nothing behind.
- MEMORY.md is rendered after every change, as the HQ renders it.
- Else memctl never writes through a symlink, and in another user's store it follows none.
- A note is appended in one write, so that it is never spliced with another's. A user
  memory that is a symlink to a file of the same user is resolved first.
- agents.json belongs to the HQ: while one runs for the data folder memctl asks it
  through its API (MEMCTL_HQ_TOKEN); only when none runs is the file edited.
- Keys in a memory's front matter that memctl does not know stay. A file that the
  HQ does not load is shown and can be deleted, and is never overwritten.
"""

TOPICS = {
    "addresses": ADDRESSES,
    "exit-codes": EXIT_CODES,
    "policies": POLICIES,
    "cron": CRON,
    "safety": SAFETY,
}
