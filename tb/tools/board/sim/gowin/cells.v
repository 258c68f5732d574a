// Cells of a mapped Gowin netlist that are more than a few gates, for the simulation of netlists.
// They model what synthesis makes use of: no output registers, RESET low, both ports as wide and on
// one clock. What they do not model ends the simulation.
`timescale 1ns/1ps

// The 64 rows of a block RAM, highest first, as names or as parameters.
`define ROWS16(n, is) INIT_RAM_``n``F is, INIT_RAM_``n``E is, INIT_RAM_``n``D is, \
  INIT_RAM_``n``C is, INIT_RAM_``n``B is, INIT_RAM_``n``A is, INIT_RAM_``n``9 is, \
  INIT_RAM_``n``8 is, INIT_RAM_``n``7 is, INIT_RAM_``n``6 is, INIT_RAM_``n``5 is, \
  INIT_RAM_``n``4 is, INIT_RAM_``n``3 is, INIT_RAM_``n``2 is, INIT_RAM_``n``1 is, INIT_RAM_``n``0 is
`define ROWS(is) `ROWS16(3, is), `ROWS16(2, is), `ROWS16(1, is), `ROWS16(0, is)

// Block RAM: rows of WIDTH bits in lanes of LANE bits, two ports. A write shows nothing (MODE 0),
// what it writes (1) or what was there before (2).
module gowin_ram #(
  parameter LANE = 9, WIDTH = 36, MODE_A = 0, MODE_B = 0, parameter [18431:0] START = 0,
  parameter LANES = WIDTH < LANE ? 1 : WIDTH / LANE, BITS = LANE == 9 ? 18432 : 16384,
  parameter ROW = $clog2(BITS / WIDTH)
) (
  input clk, reset, enable_a, write_a, enable_b, write_b,
  input [13:0] address_a, address_b,
  input [WIDTH - 1:0] data_a, data_b,
  output reg [WIDTH - 1:0] out_a, out_b
);
  reg [WIDTH - 1:0] rows [0:BITS / WIDTH - 1];
  integer i;
  initial for (i = 0; i < BITS / WIDTH; i = i + 1) rows[i] = START[i * WIDTH +: WIDTH];
  always @(posedge clk) if (reset) $fatal(1, "gowin_ram: RESET is not modelled");

  // The lowest bits of the address of a row with several lanes enable them.
  function [WIDTH - 1:0] enabled(input [13:0] address);
    integer lane;
    for (lane = 0; lane < LANES; lane = lane + 1)
      enabled[lane * (WIDTH / LANES) +: WIDTH / LANES] =
        {WIDTH / LANES{LANES == 1 || address[lane]}};
  endfunction
  wire [ROW - 1:0] row_a = address_a[13 -: ROW];
  wire [ROW - 1:0] row_b = address_b[13 -: ROW];
  wire [WIDTH - 1:0] mask_a = enable_a && write_a ? enabled(address_a) : 0;
  wire [WIDTH - 1:0] mask_b = enable_b && write_b ? enabled(address_b) : 0;
  wire [WIDTH - 1:0] new_a = rows[row_a] & ~mask_a | data_a & mask_a;
  wire [WIDTH - 1:0] new_b = (row_a == row_b ? new_a : rows[row_b]) & ~mask_b | data_b & mask_b;

  // Bits that one port reads while the other writes them are not defined: they come out wrong.
  wire [WIDTH - 1:0] wrong_a = row_a == row_b ? mask_b : 0;
  wire [WIDTH - 1:0] wrong_b = row_a == row_b ? mask_a : 0;
  always @(posedge clk) begin
    if (|mask_a) rows[row_a] <= new_a;
    if (|mask_b) rows[row_b] <= new_b;
    if (enable_a && (!write_a || MODE_A != 0))
      out_a <= write_a && MODE_A == 1 ? new_a : rows[row_a] ^ wrong_a;
    if (enable_b && (!write_b || MODE_B != 0))
      out_b <= write_b && MODE_B == 1 ? new_b : rows[row_b] ^ wrong_b;
  end
endmodule

// One port: rows of up to 4 lanes of `lane` bits.
`define SINGLE_PORT(name, lane) \
module name #( \
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 4 * lane, BLK_SEL = 0, RESET_MODE = "SYNC", \
  parameter [32 * lane - 1:0] `ROWS(= 0) \
) (output [4 * lane - 1:0] DO, input [4 * lane - 1:0] DI, input [2:0] BLKSEL, input [13:0] AD, \
  input WRE, CLK, CE, OCE, RESET); \
  initial if (READ_MODE != 0) $fatal(1, "output registers are not modelled"); \
  gowin_ram #(.LANE(lane), .WIDTH(BIT_WIDTH), .MODE_A(WRITE_MODE), .START({`ROWS()})) ram ( \
    .clk(CLK), .reset(RESET), .enable_a(CE && BLKSEL == BLK_SEL), .write_a(WRE), .address_a(AD), \
    .data_a(DI[BIT_WIDTH - 1:0]), .out_a(DO[BIT_WIDTH - 1:0]), .enable_b(1'b0), .write_b(1'b0), \
    .address_b(14'h0), .data_b({BIT_WIDTH{1'b0}}), .out_b()); \
endmodule
`SINGLE_PORT(SP, 8)
`SINGLE_PORT(SPX9, 9)

module DPX9B #(
  parameter READ_MODE0 = 0, READ_MODE1 = 0, WRITE_MODE0 = 0, WRITE_MODE1 = 0, BIT_WIDTH_0 = 18,
  parameter BIT_WIDTH_1 = 18, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC",
  parameter [287:0] `ROWS(= 0)
) (output [17:0] DOA, DOB, input [17:0] DIA, DIB, input [2:0] BLKSELA, BLKSELB,
  input [13:0] ADA, ADB, input WREA, WREB, CLKA, CLKB, CEA, CEB, OCEA, OCEB, RESETA, RESETB);
  initial if (READ_MODE0 != 0 || READ_MODE1 != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "DPX9B: output registers and ports of two widths are not modelled");
  gowin_ram #(.WIDTH(BIT_WIDTH_0), .MODE_A(WRITE_MODE0), .MODE_B(WRITE_MODE1), .START({`ROWS()}))
  ram (
    .clk(CLKA), .reset(RESETA || RESETB), .enable_a(CEA && BLKSELA == BLK_SEL_0), .write_a(WREA),
    .address_a(ADA), .data_a(DIA[BIT_WIDTH_0 - 1:0]), .out_a(DOA[BIT_WIDTH_0 - 1:0]),
    .enable_b(CEB && BLKSELB == BLK_SEL_1), .write_b(WREB), .address_b(ADB),
    .data_b(DIB[BIT_WIDTH_0 - 1:0]), .out_b(DOB[BIT_WIDTH_0 - 1:0]));
endmodule

// Writes through A, reads through B.
module SDPX9B #(
  parameter READ_MODE = 0, BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, BLK_SEL_0 = 0, BLK_SEL_1 = 0,
  parameter RESET_MODE = "SYNC",
  parameter [287:0] `ROWS(= 0)
) (output [35:0] DO, input [35:0] DI, input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB,
  input CLKA, CLKB, CEA, CEB, OCE, RESETA, RESETB);
  initial if (READ_MODE != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "SDPX9B: output registers and ports of two widths are not modelled");
  gowin_ram #(.WIDTH(BIT_WIDTH_0), .START({`ROWS()})) ram (
    .clk(CLKA), .reset(RESETA || RESETB), .enable_a(CEA && BLKSELA == BLK_SEL_0), .write_a(1'b1),
    .address_a(ADA), .data_a(DI[BIT_WIDTH_0 - 1:0]), .out_a(),
    .enable_b(CEB && BLKSELB == BLK_SEL_1), .write_b(1'b0), .address_b(ADB),
    .data_b({BIT_WIDTH_0{1'b0}}), .out_b(DO[BIT_WIDTH_0 - 1:0]));
endmodule

// 16 words of 4 bits in LUTs.
module RAM16SDP4 #(
  parameter [15:0] INIT_0 = 0, INIT_1 = 0, INIT_2 = 0, INIT_3 = 0
) (output [3:0] DO, input [3:0] DI, WAD, RAD, input WRE, CLK);
  reg [3:0] words [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) words[i] = {INIT_3[i], INIT_2[i], INIT_1[i], INIT_0[i]};
  assign DO = words[RAD];
  always @(posedge CLK) if (WRE) words[WAD] <= DI;
endmodule

// Product of two numbers of 18 bits, without registers.
module MULT18X18 #(
  parameter AREG = 0, BREG = 0, OUT_REG = 0, PIPE_REG = 0
) (output [35:0] DOUT, output [17:0] SOA, SOB, input [17:0] A, SIA, B, SIB,
  input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET);
  initial if (AREG != 0 || BREG != 0 || OUT_REG != 0 || PIPE_REG != 0)
    $fatal(1, "MULT18X18: registers are not modelled");
  wire signed [18:0] a = {ASIGN & A[17], A};
  wire signed [18:0] b = {BSIGN & B[17], B};
  wire signed [37:0] product = a * b;
  assign DOUT = product[35:0];
endmodule
