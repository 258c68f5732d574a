# Tang Nano 20K (Gowin GW2AR-18): lowmem is block RAM, so it has one size and no SDRAM.
FAMILY         := gowin
SIZES          := 20
DEVICE_20      := GW2AR-LV18QN88C8/I7
SIZE ?= 20 ## size of the board's FPGA: 20
MHZ_20         := 27
BOARDCONFIG_20 := minimal
# Its mapped cells do what the RTL does (`make netlist-test`).
NETLIST_NEEDS := build/granule-netlist-pins build/granule-rtl-pins
NETLIST_TEST := tb/tools/board/test_netlist_pins.py
BITSTREAM_FILE := granule.fs
PROG           := openFPGALoader -b tangnano20k
FLASH          := openFPGALoader -b tangnano20k -f
