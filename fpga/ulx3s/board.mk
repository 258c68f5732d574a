# ULX3S (Radiona), sizes 12, 25, 45 and 85 of the Lattice ECP5. The 12 is a 25 with an IDCODE of its
# own. Slower memory chips need no other bitstream: SDRAM=any is the slowest of all parts in use.
FAMILY      := ecp5
PACKAGE     := CABGA381
SPEED       := 6
SIZES       := 12 25 45 85
DEVICE_12   := 12k
DEVICE_25   := 25k
DEVICE_45   := 45k
DEVICE_85   := 85k
IDCODE_12   := 0x21111043
SIZE ?= 85 ## size of the board's FPGA: 12 25 45 85
# Configuration and clock in MHz that each size is built with; the build fails when it is not met.
BOARDCONFIG_12 := small
BOARDCONFIG_25 := small
BOARDCONFIG_45 := ulx3s
BOARDCONFIG_85 := ulx3s
MHZ_12      := 40
MHZ_25      := 40
MHZ_45      := 60
MHZ_85      := 60
# A seed of place and route that meets it, where that is not 1; another RTL may need another one.
PNR_SEED_45 := 8
PNR_SEED_85 := 8
# Its mapped cells boot the firmware and the small driver (`make netlist-test`).
NETLIST_NEEDS := firmware $(DRIVER) build/granule-sim-ulx3s build/granule-netlist-sim
NETLIST_TEST := tb/tools/board/test_netlist.py
BITSTREAM_FILE := granule.bit
PROG        := openFPGALoader -b ulx3s | fujprog
FLASH       := openFPGALoader -b ulx3s -f | fujprog -j FLASH
