// Cells of a mapped ECP5 netlist that are more than a few gates, for the simulation of netlists.
// They model what synthesis makes use of: no output registers, no asynchronous reset, chip
// selects tied.
`timescale 1ns/1ps

// Names with all numbers of 14, 18 or 36 bits, highest first, and the 64 rows of a block RAM.
`define BITS8(p) p``7, p``6, p``5, p``4, p``3, p``2, p``1, p``0
`define BITS14(p) p``13, p``12, p``11, p``10, p``9, p``8, `BITS8(p)
`define BITS18(p) p``17, p``16, p``15, p``14, `BITS14(p)
`define BITS36(p) p``35, p``34, p``33, p``32, p``31, p``30, p``29, p``28, p``27, p``26, p``25, \
  p``24, p``23, p``22, p``21, p``20, p``19, p``18, `BITS18(p)
`define ROWS16(n, is) INITVAL_``n``F is, INITVAL_``n``E is, INITVAL_``n``D is, INITVAL_``n``C is, \
  INITVAL_``n``B is, INITVAL_``n``A is, INITVAL_``n``9 is, INITVAL_``n``8 is, INITVAL_``n``7 is, \
  INITVAL_``n``6 is, INITVAL_``n``5 is, INITVAL_``n``4 is, INITVAL_``n``3 is, INITVAL_``n``2 is, \
  INITVAL_``n``1 is, INITVAL_``n``0 is
`define ROWS(is) `ROWS16(3, is), `ROWS16(2, is), `ROWS16(1, is), `ROWS16(0, is)

// Block RAM of 1024 x 18 bits with two ports. Width 36 uses both data ports for one access: write
// through A, read through B. A word of 18 bits has two lanes, which ADA[1:0] enable.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, REGMODE_A = "NOREG", REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000", CLKAMUX = "CLKA", CLKBMUX = "CLKB", WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL", GSR = "AUTO",
  parameter [319:0] `ROWS(= 320'b0)
) (
  input CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input `BITS14(ADA), `BITS14(ADB), `BITS18(DIA), `BITS18(DIB),
  output `BITS18(DOA), `BITS18(DOB)
);
  wire [13:0] ada = {`BITS14(ADA)};
  wire [13:0] adb = {`BITS14(ADB)};
  wire [17:0] dia = {`BITS18(DIA)};
  wire [17:0] dib = {`BITS18(DIB)};
  reg [17:0] doa, dob;
  assign {`BITS18(DOA)} = doa;
  assign {`BITS18(DOB)} = dob;

  reg [17:0] words [0:1023];
  wire [64 * 320 - 1:0] start = {`ROWS()};
  integer i;
  initial for (i = 0; i < 1024; i = i + 1) words[i] = start[i * 20 +: 18];

  // The lowest bit of a word that an access of a narrower width means, and its bits as a mask.
  function [4:0] place(input integer width, input [13:0] address);
    place = width >= 18 ? 0 : address[3] * 9 + (width == 9 ? 0 : address[2:0] & -width);
  endfunction
  function [17:0] lanes(input integer width, input [13:0] address);
    lanes = width >= 18 ? {{9{address[1]}}, {9{address[0]}}} : only(width, ~18'h0)
      << place(width, address);
  endfunction
  function [17:0] only(input integer width, input [17:0] data);
    only = width >= 18 ? data : data & ((18'h1 << width) - 18'h1);
  endfunction

  wire wide_write = DATA_WIDTH_A == 36;
  wire wide_read = DATA_WIDTH_B == 36;
  wire [9:0] row_a = ada[13:4];
  wire [9:0] row_b = adb[13:4];
  wire [17:0] low_mask = lanes(DATA_WIDTH_A, ada);
  wire [17:0] high_mask = {{9{ada[3]}}, {9{ada[2]}}};
  wire [17:0] low_data = only(DATA_WIDTH_A, dia) << place(DATA_WIDTH_A, ada);
  wire [9:0] low_row = wide_write ? {row_a[9:1], 1'b0} : row_a;

  wire [17:0] mask_b = lanes(DATA_WIDTH_B, adb);
  wire [17:0] data_b = only(DATA_WIDTH_B, dib) << place(DATA_WIDTH_B, adb);
  wire [17:0] old_a = words[row_a];
  wire [17:0] old_b = words[row_b];

  // What is read in the very cycle in which the other port writes it is not defined: these bits
  // come out wrong, so that nobody relies on them. Both ports have one clock here. Other addresses
  // of the row read well: in the cache of the board a load of one word meets the store to its
  // neighbour.
  wire lane_a = wide_write ? |ada[3:0] : DATA_WIDTH_A != 18 || |ada[1:0];
  wire lane_b = DATA_WIDTH_B != 18 || |adb[1:0];
  wire write_a = CEA && WEA && lane_a;
  wire write_b = CEB && WEB && lane_b && !wide_read;
  wire [9:0] high_row = {row_a[9:1], 1'b1};
  wire [9:0] read_row = wide_read ? {row_b[9:1], 1'b0} : row_b;
  wire [17:0] wrong_a = write_b && row_b == row_a ? mask_b : 18'h0;
  wire [17:0] wrong_b = (write_a && low_row == read_row ? low_mask : 18'h0)
    | (write_a && wide_write && high_row == read_row ? high_mask : 18'h0);
  wire [17:0] wrong_high = (write_a && low_row == (read_row | 10'h1) ? low_mask : 18'h0)
    | (write_a && wide_write && high_row == (read_row | 10'h1) ? high_mask : 18'h0);

  // A write leaves the output alone (NORMAL) or shows what was there before (READBEFOREWRITE).
  wire shows_a = !WEA || WRITEMODE_A == "READBEFOREWRITE";
  wire shows_b = !WEB || WRITEMODE_B == "READBEFOREWRITE";
  initial if (WRITEMODE_A == "WRITETHROUGH" || WRITEMODE_B == "WRITETHROUGH")
    $fatal(1, "DP16KD: WRITETHROUGH is not modelled");

  always @(posedge CLKA) begin
    if (write_a) begin
      words[low_row] <= words[low_row] & ~low_mask | low_data & low_mask;
      if (wide_write) words[high_row] <= words[high_row] & ~high_mask | dib & high_mask;
    end
    if (write_b) words[row_b] <= old_b & ~mask_b | data_b & mask_b;
    if (wide_read) begin
      if (CEB) begin
        doa <= RSTB ? 18'h0 : words[read_row] ^ wrong_b;
        dob <= RSTB ? 18'h0 : words[read_row | 10'h1] ^ wrong_high;
      end
    end else begin
      if (CEA && RSTA) doa <= 0;
      else if (CEA && shows_a)
        doa <= only(DATA_WIDTH_A, (old_a ^ wrong_a) >> place(DATA_WIDTH_A, ada));
      if (CEB && RSTB) dob <= 0;
      else if (CEB && shows_b)
        dob <= only(DATA_WIDTH_B, (old_b ^ wrong_b) >> place(DATA_WIDTH_B, adb));
    end
  end
endmodule

// Product of two numbers of 18 bits, without registers.
module MULT18X18D (
  input `BITS18(A), `BITS18(B), `BITS18(C), SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output `BITS36(P)
);
  wire signed [18:0] a = {SIGNEDA & A17, `BITS18(A)};
  wire signed [18:0] b = {SIGNEDB & B17, `BITS18(B)};
  wire signed [37:0] product = a * b;
  assign {`BITS36(P)} = product[35:0];
endmodule
