"""The labs that there are."""

from labs import lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7, lab8, lab9, lab10
from labs.lab import Lab

MODULES = (lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7, lab8, lab9, lab10)
LABS: dict[int, Lab] = {module.LAB.number: module.LAB for module in MODULES}
