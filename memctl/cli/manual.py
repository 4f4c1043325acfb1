"""The manual page of the rules on standard output.

`python -m memctl.cli.manual >man/memctl-rules.7` makes that of the sources, and a test compares it.
"""

import sys

from memctl.output.rules import page

if __name__ == "__main__":
    sys.stdout.write(page())
