"""Random translations: tables, registers and accesses of every format and granule."""
