# The clock of the ULX3S-85: of its simulations, and of the memory of the fast simulator.

SIM_MHZ := $(shell sed -nE 's|^MHZ(_85)? *[?:]= *([0-9]+).*|\2|p' fpga/ulx3s/board.mk)
