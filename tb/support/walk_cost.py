"""What a walk takes in cycles; unit.walk.cocotb_cost shows it on the RTL."""


def walk_cycles(levels: int, latency: int) -> int:
    """A walk that reads so many descriptors, each from a memory that answers after `latency`."""
    return levels * (latency + 1) + 4


def warm_cycles(latency: int) -> int:
    """One whose last table the walk cache knows."""
    return walk_cycles(1, latency)
