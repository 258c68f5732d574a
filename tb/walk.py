#!/usr/bin/env python3
"""`granule walk` of a checkout, before anything is installed: it needs nothing but Python 3.11."""

import argparse
import sys

if sys.version_info < (3, 11):  # noqa: UP036 (this runs before anything was set up)
    sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")

from granule.__main__ import parser_of, start
from granule.commands import walk

if __name__ == "__main__":
    start(parser_of(walk, argparse.ArgumentParser(prog="python3 tb/walk.py")))
