"""The labs that there are."""

from labs import lab0, lab1, lab2, lab4, lab6, lab7
from labs.lab import Lab

LABS: dict[int, Lab] = {
    lab.number: lab for lab in (lab0.LAB, lab1.LAB, lab2.LAB, lab4.LAB, lab6.LAB, lab7.LAB)
}
