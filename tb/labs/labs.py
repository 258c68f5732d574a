"""The labs that there are."""

from labs import lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7, lab8
from labs.lab import Lab

ALL = tuple(module.LAB for module in (lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7, lab8))
LABS: dict[int, Lab] = {lab.number: lab for lab in ALL}
