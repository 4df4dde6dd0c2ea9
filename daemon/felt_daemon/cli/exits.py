"""The exit codes of `felt`. Scripts and units rely on them: a meaning never changes.

From 64 up they are those of sysexits.h.
"""

from __future__ import annotations

from typing import Final

OK: Final = 0
# The command was understood and the answer is no: refused by the table, a chain that does not verify.
REFUSED: Final = 1
# The command line is wrong; argparse uses this number too.
USAGE: Final = 2
# Nobody answers: feltd is not running, or this user may not speak to it.
NOT_REACHABLE: Final = 3
# The command was sent and no answer came: it may have been carried out or not. Look before repeating it.
UNKNOWN: Final = 4
# Decided again, something comes out otherwise than it is recorded.
DIFFERENT: Final = 5
# The file cannot be opened or read (EX_NOINPUT).
NO_INPUT: Final = 66
# The configuration is not valid (EX_CONFIG). The unit of feltd does not restart on this one.
BAD_CONFIG: Final = 78
# The program itself failed (EX_SOFTWARE); systemd starts it again.
SOFTWARE: Final = 70
# Stopped from the keyboard, as shells number it: 128 and SIGINT.
INTERRUPTED: Final = 130
