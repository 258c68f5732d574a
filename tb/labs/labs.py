"""The labs that there are."""

from labs import lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7
from labs.lab import Lab

LABS: dict[int, Lab] = {
    module.LAB.number: module.LAB for module in (lab0, lab1, lab2, lab3, lab4, lab5, lab6, lab7)
}
