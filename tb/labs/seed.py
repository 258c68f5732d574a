"""What makes one student's questions differ from another's: a name."""

import hashlib
import random
import re

LONGEST = 64


class Seed:
    """Draws that depend on a name, on the lab and on what they are for; on nothing else, so that a
    new question changes no other one."""

    def __init__(self, name: str, lab: int):
        self.name = " ".join(name.split())
        self.lab = lab
        if not self.name or len(self.name) > LONGEST:
            raise ValueError(
                f"NAME is '{self.name}': it must have 1 to {LONGEST} letters; write NAME=anna"
            )

    def draws(self, what: str) -> random.Random:
        """Random numbers for one question or one program."""
        text = f"{self.lab}/{self.name.lower()}/{what}"
        return random.Random(hashlib.sha256(text.encode()).digest())

    @property
    def folder(self) -> str:
        """The name of this student's folder."""
        plain = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")
        if not plain:  # nothing that every file system can write
            plain = hashlib.sha256(self.name.encode()).hexdigest()[:8]
        return f"lab{self.lab}-{plain}"
