// The Gowin PLL around the system, for the simulation from the pins up. The pin's clock has the
// system's frequency here: the PLL passes it on.
`timescale 1ns/1ps

module rPLL #(
  parameter FCLKIN = "27", DEVICE = "GW2AR-18C", IDIV_SEL = 0, FBDIV_SEL = 0, ODIV_SEL = 8,
  parameter DYN_IDIV_SEL = "false", DYN_FBDIV_SEL = "false", DYN_ODIV_SEL = "false",
  parameter DYN_DA_EN = "false", CLKFB_SEL = "internal"
) (
  input CLKIN, CLKFB, RESET, RESET_P,
  input [5:0] FBDSEL, IDSEL, ODSEL,
  input [3:0] PSDA, DUTYDA, FDLY,
  output CLKOUT, LOCK
);
  reg [3:0] settled = 0;
  always @(posedge CLKIN) if (!LOCK) settled <= settled + 1;
  assign LOCK = &settled;
  assign CLKOUT = CLKIN;
endmodule
