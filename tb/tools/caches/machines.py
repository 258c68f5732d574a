"""The data caches of `make caches` by the name of their simulator (config/CacheExperiments.scala);
`+l2` is an option of it."""

from dataclasses import dataclass

SECOND_LEVEL = "l2:256K:10"


MACHINES = {
    "teaching": "32 KiB, 8 ways of 4 KiB, LRU: the document's",
    "teaching_plru": "the same with tree-PLRU replacement",
    "teaching_nru": "the same with NRU replacement, one bit a way",
    "teaching_random": "the same with random replacement",
    "ways2": "8 KiB, 2 ways of 4 KiB, LRU",
    "ways4": "16 KiB, 4 ways of 4 KiB, LRU",
    "ways16": "64 KiB, 16 ways of 4 KiB, LRU",
    "ulx3s": "32 KiB, 2 ways of 16 KiB, VIPT, one copy of a line",
    "ulx3s_copies": "the same, VIPT, copies of clean lines",
    "ulx3s_physical": "the same, physically indexed",
    "physical64k": "64 KiB, 4 ways of 16 KiB, physically indexed",
    "teaching+l2": "teaching with a second level of 256 KiB, 10 cycles a hit",
    "ulx3s+l2": "ulx3s with a second level of 256 KiB, 10 cycles a hit",
}


@dataclass(frozen=True)
class Topic:
    """One table: a line a machine, a column a figure (its head by its id)."""

    title: str
    machines: tuple[str, ...]
    columns: dict[str, str]


TOPICS = (
    Topic(
        "Three designs of a cache with ways larger than a page: eight reads of untouched pages",
        ("ulx3s", "ulx3s_copies", "ulx3s_physical", "physical64k"),
        {
            "A-5.single": "misses, one zero page",
            "A-5.coloured": "misses, one a colour",
            "A-5.fewer": "times fewer",
            "A-5.faster": "times faster",
        },
    ),
    Topic(
        "Replacement: misses a read with one line more than the eight ways",
        ("teaching", "teaching_plru", "teaching_nru", "teaching_random"),
        {"H2.2": "beside version 1 of the document", "H2.8.rate": "beside version 3"},
    ),
    Topic(
        "Ways: the number of lines of one set at which misses begin",
        ("ways2", "ways4", "teaching", "ways16"),
        {"A-9": "lines", "A-1.over": "misses a read, one line more"},
    ),
    Topic(
        "Zero pages with neighbours: misses of a thousand passes",
        ("teaching", "ulx3s", "ulx3s_copies", "ulx3s_physical", "physical64k"),
        {
            "A-6.total": "document's rule and one hot line",
            "A-6.way": "one page a colour and the line",
            "A-7.single": "a full set, one zero page in it",
            "A-7.coloured": "the same, one page a colour",
        },
    ),
    Topic(
        "Time of one line more than ways, and a second level",
        ("teaching", "teaching+l2", "ulx3s", "ulx3s+l2"),
        {
            "A-3.loop": "cycles a hit",
            "A-3.miss": "cycles a miss more",
            "H2.4": "percent more in all",
            "H2.5": "percent more a read",
            "H2.8": "times a read",
            "A-3.v3": "work for 2.15 times",
        },
    ),
    Topic(
        "Whole zero pages by the document's rule: percent more misses and time",
        ("teaching", "teaching+l2", "ulx3s", "ulx3s+l2", "ulx3s_copies", "ulx3s_physical"),
        {"H2.9": "misses", "H2.9.time": "time"},
    ),
)
