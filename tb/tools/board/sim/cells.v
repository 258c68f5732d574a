// What the families' cells have in common, for the simulation of mapped netlists. It models what
// synthesis makes use of: no output registers, ports of one width and one clock.
`timescale 1ns/1ps

// The 64 rows of a block RAM, highest first, as names or parameters; `p` is before their numbers.
`define ROWS16(p, is) p``F is, p``E is, p``D is, p``C is, p``B is, p``A is, p``9 is, p``8 is, \
  p``7 is, p``6 is, p``5 is, p``4 is, p``3 is, p``2 is, p``1 is, p``0 is
`define ROWS(p, is) `ROWS16(p``3, is), `ROWS16(p``2, is), `ROWS16(p``1, is), `ROWS16(p``0, is)

// Block RAM: rows of WIDTH bits in lanes of LANE bits, two ports. A write shows nothing (MODE 0),
// what it writes (1) or what was there before (2). START has 18 bits in each STRIDE of its own.
module block_ram #(
  parameter LANE = 9, WIDTH = 36, MODE_A = 0, MODE_B = 0, STRIDE = 18,
  parameter [1024 * STRIDE - 1:0] START = 0,
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
  initial for (i = 0; i < BITS; i = i + 1)
    rows[i / WIDTH][i % WIDTH] = START[i / 18 * STRIDE + i % 18];
  always @(posedge clk) if (reset) $fatal(1, "block_ram: RESET is not modelled");

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

  // Bits that one port reads while the other writes them are not defined: they come out wrong, so
  // that nobody relies on them. Other addresses of the row read well: in the cache of the board a
  // load of one word meets the store to its neighbour.
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

// Product of two numbers of 18 bits, without registers.
module product_18 (input [17:0] a, b, input signed_a, signed_b, output [35:0] product);
  wire signed [18:0] left = {signed_a & a[17], a};
  wire signed [18:0] right = {signed_b & b[17], b};
  assign product = left * right;
endmodule
