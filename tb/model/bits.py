"""Bit fields of integers, written as the architecture writes them: [high:low]."""


def mask(width: int) -> int:
    """`width` ones."""
    return (1 << width) - 1


def field(value: int, high: int, low: int) -> int:
    """value[high:low]; an empty field (high < low) is 0."""
    return (value >> low) & mask(high - low + 1) if high >= low else 0


def bit(value: int, position: int) -> int:
    return (value >> position) & 1


def align_down(value: int, log2: int) -> int:
    """`value` with bits below `log2` cleared."""
    return value >> log2 << log2


def sign_extend(value: int, sign_bit: int, width: int = 64) -> int:
    """Copies bit `sign_bit` upwards; the result is an unsigned integer of `width` bits."""
    value &= mask(sign_bit + 1)
    if bit(value, sign_bit):
        value |= mask(width) & ~mask(sign_bit + 1)
    return value
