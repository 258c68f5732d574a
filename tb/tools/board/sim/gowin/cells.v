// Cells of a mapped Gowin netlist that are more than a few gates, for the simulation of netlists
// (../cells.v). What they do not model ends the simulation.
`timescale 1ns/1ps

// One port: rows of up to 4 lanes of `lane` bits.
`define SINGLE_PORT(name, lane) \
module name #( \
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 4 * lane, BLK_SEL = 0, RESET_MODE = "SYNC", \
  parameter [32 * lane - 1:0] `ROWS(INIT_RAM_, = 0) \
) (output [4 * lane - 1:0] DO, input [4 * lane - 1:0] DI, input [2:0] BLKSEL, input [13:0] AD, \
  input WRE, CLK, CE, OCE, RESET); \
  initial if (READ_MODE != 0) $fatal(1, "output registers are not modelled"); \
  block_ram #(.LANE(lane), .WIDTH(BIT_WIDTH), .MODE_A(WRITE_MODE), \
    .START({`ROWS(INIT_RAM_,)})) ram ( \
    .clk(CLK), .reset(RESET), .enable_a(CE && BLKSEL == BLK_SEL), .write_a(WRE), .address_a(AD), \
    .data_a(DI[BIT_WIDTH - 1:0]), .out_a(DO[BIT_WIDTH - 1:0]), .enable_b(1'b0), .write_b(1'b0), \
    .address_b(14'h0), .data_b({BIT_WIDTH{1'b0}}), .out_b()); \
endmodule
`SINGLE_PORT(SP, 8)
`SINGLE_PORT(SPX9, 9)

module DPX9B #(
  parameter READ_MODE0 = 0, READ_MODE1 = 0, WRITE_MODE0 = 0, WRITE_MODE1 = 0, BIT_WIDTH_0 = 18,
  parameter BIT_WIDTH_1 = 18, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC",
  parameter [287:0] `ROWS(INIT_RAM_, = 0)
) (output [17:0] DOA, DOB, input [17:0] DIA, DIB, input [2:0] BLKSELA, BLKSELB,
  input [13:0] ADA, ADB, input WREA, WREB, CLKA, CLKB, CEA, CEB, OCEA, OCEB, RESETA, RESETB);
  initial if (READ_MODE0 != 0 || READ_MODE1 != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "DPX9B: output registers and ports of two widths are not modelled");
  block_ram #(.WIDTH(BIT_WIDTH_0), .MODE_A(WRITE_MODE0), .MODE_B(WRITE_MODE1),
    .START({`ROWS(INIT_RAM_,)})) ram (
    .clk(CLKA), .reset(RESETA || RESETB), .enable_a(CEA && BLKSELA == BLK_SEL_0), .write_a(WREA),
    .address_a(ADA), .data_a(DIA[BIT_WIDTH_0 - 1:0]), .out_a(DOA[BIT_WIDTH_0 - 1:0]),
    .enable_b(CEB && BLKSELB == BLK_SEL_1), .write_b(WREB), .address_b(ADB),
    .data_b(DIB[BIT_WIDTH_0 - 1:0]), .out_b(DOB[BIT_WIDTH_0 - 1:0]));
endmodule

// Writes through A, reads through B.
module SDPX9B #(
  parameter READ_MODE = 0, BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, BLK_SEL_0 = 0, BLK_SEL_1 = 0,
  parameter RESET_MODE = "SYNC",
  parameter [287:0] `ROWS(INIT_RAM_, = 0)
) (output [35:0] DO, input [35:0] DI, input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB,
  input CLKA, CLKB, CEA, CEB, OCE, RESETA, RESETB);
  initial if (READ_MODE != 0 || BIT_WIDTH_0 != BIT_WIDTH_1)
    $fatal(1, "SDPX9B: output registers and ports of two widths are not modelled");
  block_ram #(.WIDTH(BIT_WIDTH_0), .START({`ROWS(INIT_RAM_,)})) ram (
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

module MULT18X18 #(
  parameter AREG = 0, BREG = 0, OUT_REG = 0, PIPE_REG = 0
) (output [35:0] DOUT, output [17:0] SOA, SOB, input [17:0] A, SIA, B, SIB,
  input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET);
  initial if (AREG != 0 || BREG != 0 || OUT_REG != 0 || PIPE_REG != 0)
    $fatal(1, "MULT18X18: registers are not modelled");
  product_18 inner (.a(A), .b(B), .signed_a(ASIGN), .signed_b(BSIGN), .product(DOUT));
endmodule
