"""The first module of a run where several parts are one simulation (support/together.py): what the
tests get as `dut` is the part that GRANULE_PART names."""

import os

import cocotb

cocotb.top = getattr(cocotb.top, os.environ["GRANULE_PART"])
