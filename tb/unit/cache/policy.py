"""Replacement policies in Python, for one set: which way a miss replaces."""

import random


class SetModel:
    """One set of a cache; `access` says whether the line was there."""

    def __init__(self, ways: int, policy: str, seed: int = 1):
        self.lines = [None] * ways
        self.policy = {"lru": Lru, "plru": Plru, "nru": Nru, "random": Random}[policy](ways, seed)

    def access(self, line) -> bool:
        hit = line in self.lines
        if hit:
            way = self.lines.index(line)
        else:
            way = self.lines.index(None) if None in self.lines else self.policy.victim()
            self.lines[way] = line
        self.policy.use(way)
        return hit


class Lru:
    def __init__(self, ways, _):
        self.order = list(range(ways))

    def use(self, way):
        self.order.remove(way)
        self.order.append(way)

    def victim(self):
        return self.order[0]


class Plru:
    """A binary tree of bits that point at the half to be replaced next."""

    def __init__(self, ways, _):
        self.ways, self.bits = ways, {}

    def use(self, way):
        node, low, size = 1, 0, self.ways
        while size > 1:
            size //= 2
            upper = way >= low + size
            self.bits[node] = not upper
            node, low = 2 * node + upper, low + size * upper

    def victim(self):
        node, low, size = 1, 0, self.ways
        while size > 1:
            size //= 2
            upper = self.bits.get(node, False)
            node, low = 2 * node + upper, low + size * upper
        return low


class Nru:
    def __init__(self, ways, _):
        self.used = [False] * ways

    def use(self, way):
        self.used[way] = True
        if all(self.used):
            self.used = [w == way for w in range(len(self.used))]

    def victim(self):
        return self.used.index(False)


class Random:
    def __init__(self, ways, seed):
        self.ways, self.rng = ways, random.Random(seed)

    def use(self, way):
        pass

    def victim(self):
        return self.rng.randrange(self.ways)


def steady_miss_rate(ways: int, count: int, policy: str, passes: int = 1000) -> float:
    """Miss rate of `count` lines of one set read in turn, after the first tenth of the passes."""
    cache = SetModel(ways, policy)
    misses = reads = 0
    for n in range(passes):
        for line in range(count):
            hit = cache.access(line)
            if n >= passes // 10:
                reads += 1
                misses += not hit
    return misses / reads
