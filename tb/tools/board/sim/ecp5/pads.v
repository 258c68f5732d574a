// ECP5 cells around the system, for the simulation from the pins up. They model what they do to the
// logic, not their delays. The pin's clock has the system's frequency here: the PLL passes it on.
`timescale 1ns/1ps

module EHXPLLL #(
  parameter CLKI_DIV = 1, CLKFB_DIV = 1, FEEDBK_PATH = "CLKOP", CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_DIV = 1, CLKOP_CPHASE = 0, CLKOS_ENABLE = "DISABLED", CLKOS_DIV = 1,
  parameter CLKOS_CPHASE = 0
) (
  input CLKI, CLKFB, RST, STDBY, ENCLKOP, ENCLKOS,
  output CLKOP, CLKOS, LOCK
);
  reg [3:0] settled = 0;
  always @(posedge CLKI) if (!LOCK) settled <= settled + 1;
  assign LOCK = &settled;
  assign CLKOP = CLKI;
  assign CLKOS = CLKI;
endmodule

module ODDRX1F (input SCLK, RST, D0, D1, output Q);
  assign Q = SCLK ? D0 : D1;
endmodule

module BB (input I, T, output O, inout B);
  assign B = T ? 1'bz : I;
  assign O = B;
endmodule
