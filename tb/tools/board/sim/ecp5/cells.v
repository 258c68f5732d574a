// Cells of a mapped ECP5 netlist that are more than a few gates, for the simulation of netlists
// (../cells.v). Chip selects are tied.
`timescale 1ns/1ps

// Names with all numbers of 14, 18 or 36 bits, highest first.
`define BITS8(p) p``7, p``6, p``5, p``4, p``3, p``2, p``1, p``0
`define BITS14(p) p``13, p``12, p``11, p``10, p``9, p``8, `BITS8(p)
`define BITS18(p) p``17, p``16, p``15, p``14, `BITS14(p)
`define BITS36(p) p``35, p``34, p``33, p``32, p``31, p``30, p``29, p``28, p``27, p``26, p``25, \
  p``24, p``23, p``22, p``21, p``20, p``19, p``18, `BITS18(p)

// Block RAM of 1024 x 18 bits with two ports. Width 36 uses both data ports for one access: write
// through A, read through B.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, REGMODE_A = "NOREG", REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000", CLKAMUX = "CLKA", CLKBMUX = "CLKB", WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL", GSR = "AUTO",
  parameter [319:0] `ROWS(INITVAL_, = 320'b0)
) (
  input CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input `BITS14(ADA), `BITS14(ADB), `BITS18(DIA), `BITS18(DIB),
  output `BITS18(DOA), `BITS18(DOB)
);
  initial if (DATA_WIDTH_A < 9 || WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_B == "WRITETHROUGH")
    $fatal(1, "DP16KD: WRITETHROUGH and narrow ports are not modelled");
  // A port that nobody uses has any width.
  always @(posedge CLKB) if (CEB && DATA_WIDTH_A != DATA_WIDTH_B)
    $fatal(1, "DP16KD: ports of two widths are not modelled");
  localparam WIDE = DATA_WIDTH_A == 36;
  wire [35:0] dia = {WIDE ? {`BITS18(DIB)} : 18'h0, `BITS18(DIA)};
  wire [35:0] dib = {18'h0, `BITS18(DIB)};
  wire [35:0] doa, dob;
  assign {`BITS18(DOA)} = WIDE ? dob[17:0] : doa[17:0];
  assign {`BITS18(DOB)} = WIDE ? dob[35:18] : dob[17:0];
  block_ram #(.WIDTH(DATA_WIDTH_A), .STRIDE(20), .START({`ROWS(INITVAL_,)}),
    .MODE_A(WRITEMODE_A == "READBEFOREWRITE" ? 2 : 0),
    .MODE_B(WRITEMODE_B == "READBEFOREWRITE" ? 2 : 0))
  ram (
    .clk(CLKA), .reset(CEA && RSTA || CEB && RSTB), .enable_a(CEA), .write_a(WEA),
    .address_a({`BITS14(ADA)}), .data_a(dia[DATA_WIDTH_A - 1:0]), .out_a(doa[DATA_WIDTH_A - 1:0]),
    .enable_b(CEB), .write_b(WEB && !WIDE), .address_b({`BITS14(ADB)}),
    .data_b(dib[DATA_WIDTH_A - 1:0]), .out_b(dob[DATA_WIDTH_A - 1:0]));
endmodule

module MULT18X18D (
  input `BITS18(A), `BITS18(B), `BITS18(C), SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output `BITS36(P)
);
  product_18 inner (.a({`BITS18(A)}), .b({`BITS18(B)}), .signed_a(SIGNEDA), .signed_b(SIGNEDB),
    .product({`BITS36(P)}));
endmodule
