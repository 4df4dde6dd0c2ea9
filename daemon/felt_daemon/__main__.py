"""`python -m felt_daemon` is `felt`."""

import sys

from felt_daemon.cli import main

sys.exit(main())
