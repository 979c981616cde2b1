"""python -m probml: the command line."""

import sys

from probml.comparison.command import main

if __name__ == "__main__":
    sys.exit(main())
