// Cells of a mapped Gowin netlist that are more than a few gates, for the simulation of netlists.
// They model what synthesis makes use of: no output registers, RESET low, both ports as wide and on
// one clock. What they do not model ends the simulation.
`timescale 1ns/1ps

`define START_PARAMETERS(bits) \
  parameter [bits - 1:0] \
  INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0, INIT_RAM_04 = 0, \
  INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0, INIT_RAM_08 = 0, INIT_RAM_09 = 0, \
  INIT_RAM_0A = 0, INIT_RAM_0B = 0, INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, \
  INIT_RAM_0F = 0, INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0, \
  INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0, INIT_RAM_18 = 0, \
  INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0, INIT_RAM_1C = 0, INIT_RAM_1D = 0, \
  INIT_RAM_1E = 0, INIT_RAM_1F = 0, INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, \
  INIT_RAM_23 = 0, INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0, \
  INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0, INIT_RAM_2C = 0, \
  INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0, INIT_RAM_30 = 0, INIT_RAM_31 = 0, \
  INIT_RAM_32 = 0, INIT_RAM_33 = 0, INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, \
  INIT_RAM_37 = 0, INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0, \
  INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0
`define START {\
  INIT_RAM_3F, INIT_RAM_3E, INIT_RAM_3D, INIT_RAM_3C, INIT_RAM_3B, INIT_RAM_3A, INIT_RAM_39, \
  INIT_RAM_38, INIT_RAM_37, INIT_RAM_36, INIT_RAM_35, INIT_RAM_34, INIT_RAM_33, INIT_RAM_32, \
  INIT_RAM_31, INIT_RAM_30, INIT_RAM_2F, INIT_RAM_2E, INIT_RAM_2D, INIT_RAM_2C, INIT_RAM_2B, \
  INIT_RAM_2A, INIT_RAM_29, INIT_RAM_28, INIT_RAM_27, INIT_RAM_26, INIT_RAM_25, INIT_RAM_24, \
  INIT_RAM_23, INIT_RAM_22, INIT_RAM_21, INIT_RAM_20, INIT_RAM_1F, INIT_RAM_1E, INIT_RAM_1D, \
  INIT_RAM_1C, INIT_RAM_1B, INIT_RAM_1A, INIT_RAM_19, INIT_RAM_18, INIT_RAM_17, INIT_RAM_16, \
  INIT_RAM_15, INIT_RAM_14, INIT_RAM_13, INIT_RAM_12, INIT_RAM_11, INIT_RAM_10, INIT_RAM_0F, \
  INIT_RAM_0E, INIT_RAM_0D, INIT_RAM_0C, INIT_RAM_0B, INIT_RAM_0A, INIT_RAM_09, INIT_RAM_08, \
  INIT_RAM_07, INIT_RAM_06, INIT_RAM_05, INIT_RAM_04, INIT_RAM_03, INIT_RAM_02, INIT_RAM_01, \
  INIT_RAM_00}

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

module SP #(
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 32, BLK_SEL = 0, RESET_MODE = "SYNC",
  `START_PARAMETERS(256)
) (output [31:0] DO, input [31:0] DI, input [2:0] BLKSEL, input [13:0] AD,
  input WRE, CLK, CE, OCE, RESET);
  initial if (READ_MODE != 0) $fatal(1, "SP: output registers are not modelled");
  gowin_ram #(.LANE(8), .WIDTH(BIT_WIDTH), .MODE_A(WRITE_MODE), .START(`START)) ram (
    .clk(CLK), .reset(RESET), .enable_a(CE && BLKSEL == BLK_SEL), .write_a(WRE), .address_a(AD),
    .data_a(DI[BIT_WIDTH - 1:0]), .out_a(DO[BIT_WIDTH - 1:0]), .enable_b(1'b0), .write_b(1'b0),
    .address_b(14'h0), .data_b({BIT_WIDTH{1'b0}}), .out_b());
endmodule

module SPX9 #(
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 36, BLK_SEL = 0, RESET_MODE = "SYNC",
  `START_PARAMETERS(288)
) (output [35:0] DO, input [35:0] DI, input [2:0] BLKSEL, input [13:0] AD,
  input WRE, CLK, CE, OCE, RESET);
  initial if (READ_MODE != 0) $fatal(1, "SPX9: output registers are not modelled");
  gowin_ram #(.WIDTH(BIT_WIDTH), .MODE_A(WRITE_MODE), .START(`START)) ram (
    .clk(CLK), .reset(RESET), .enable_a(CE && BLKSEL == BLK_SEL), .write_a(WRE), .address_a(AD),
    .data_a(DI[BIT_WIDTH - 1:0]), .out_a(DO[BIT_WIDTH - 1:0]), .enable_b(1'b0), .write_b(1'b0),
    .address_b(14'h0), .data_b({BIT_WIDTH{1'b0}}), .out_b());
endmodule

module DPX9B #(
  parameter READ_MODE0 = 0, READ_MODE1 = 0, WRITE_MODE0 = 0, WRITE_MODE1 = 0, BIT_WIDTH_0 = 18,
  parameter BIT_WIDTH_1 = 18, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC",
  `START_PARAMETERS(288)
) (output [17:0] DOA, DOB, input [17:0] DIA, DIB, input [2:0] BLKSELA, BLKSELB,
  input [13:0] ADA, ADB, input WREA, WREB, CLKA, CLKB, CEA, CEB, OCEA, OCEB, RESETA, RESETB);
  initial if (READ_MODE0 != 0 || READ_MODE1 != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "DPX9B: output registers and ports of two widths are not modelled");
  gowin_ram #(.WIDTH(BIT_WIDTH_0), .MODE_A(WRITE_MODE0), .MODE_B(WRITE_MODE1), .START(`START)) ram (
    .clk(CLKA), .reset(RESETA || RESETB), .enable_a(CEA && BLKSELA == BLK_SEL_0), .write_a(WREA),
    .address_a(ADA), .data_a(DIA[BIT_WIDTH_0 - 1:0]), .out_a(DOA[BIT_WIDTH_0 - 1:0]),
    .enable_b(CEB && BLKSELB == BLK_SEL_1), .write_b(WREB), .address_b(ADB),
    .data_b(DIB[BIT_WIDTH_0 - 1:0]), .out_b(DOB[BIT_WIDTH_0 - 1:0]));
endmodule

// Writes through A, reads through B.
module SDPX9B #(
  parameter READ_MODE = 0, BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, BLK_SEL_0 = 0, BLK_SEL_1 = 0,
  parameter RESET_MODE = "SYNC",
  `START_PARAMETERS(288)
) (output [35:0] DO, input [35:0] DI, input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB,
  input CLKA, CLKB, CEA, CEB, OCE, RESETA, RESETB);
  initial if (READ_MODE != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "SDPX9B: output registers and ports of two widths are not modelled");
  gowin_ram #(.WIDTH(BIT_WIDTH_0), .START(`START)) ram (
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
