// Cells of a mapped ECP5 netlist that are more than a few gates, for the simulation of netlists.
// They model what synthesis makes use of: no output registers, no asynchronous reset, chip
// selects tied.
`timescale 1ns/1ps

// Block RAM of 1024 x 18 bits with two ports. Width 36 uses both data ports for one access: write
// through A, read through B. A word of 18 bits has two lanes, which ADA[1:0] enable.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18, REGMODE_A = "NOREG", REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC", CSDECODE_A = "0b000",
  parameter CSDECODE_B = "0b000", CLKAMUX = "CLKA", CLKBMUX = "CLKB", WRITEMODE_A = "NORMAL",
  parameter WRITEMODE_B = "NORMAL", GSR = "AUTO",
  parameter [319:0]
    INITVAL_00 = 320'b0, INITVAL_01 = 320'b0, INITVAL_02 = 320'b0, INITVAL_03 = 320'b0, INITVAL_04
    = 320'b0, INITVAL_05 = 320'b0, INITVAL_06 = 320'b0, INITVAL_07 = 320'b0, INITVAL_08 = 320'b0,
    INITVAL_09 = 320'b0, INITVAL_0A = 320'b0, INITVAL_0B = 320'b0, INITVAL_0C = 320'b0, INITVAL_0D
    = 320'b0, INITVAL_0E = 320'b0, INITVAL_0F = 320'b0, INITVAL_10 = 320'b0, INITVAL_11 = 320'b0,
    INITVAL_12 = 320'b0, INITVAL_13 = 320'b0, INITVAL_14 = 320'b0, INITVAL_15 = 320'b0, INITVAL_16
    = 320'b0, INITVAL_17 = 320'b0, INITVAL_18 = 320'b0, INITVAL_19 = 320'b0, INITVAL_1A = 320'b0,
    INITVAL_1B = 320'b0, INITVAL_1C = 320'b0, INITVAL_1D = 320'b0, INITVAL_1E = 320'b0, INITVAL_1F
    = 320'b0, INITVAL_20 = 320'b0, INITVAL_21 = 320'b0, INITVAL_22 = 320'b0, INITVAL_23 = 320'b0,
    INITVAL_24 = 320'b0, INITVAL_25 = 320'b0, INITVAL_26 = 320'b0, INITVAL_27 = 320'b0, INITVAL_28
    = 320'b0, INITVAL_29 = 320'b0, INITVAL_2A = 320'b0, INITVAL_2B = 320'b0, INITVAL_2C = 320'b0,
    INITVAL_2D = 320'b0, INITVAL_2E = 320'b0, INITVAL_2F = 320'b0, INITVAL_30 = 320'b0, INITVAL_31
    = 320'b0, INITVAL_32 = 320'b0, INITVAL_33 = 320'b0, INITVAL_34 = 320'b0, INITVAL_35 = 320'b0,
    INITVAL_36 = 320'b0, INITVAL_37 = 320'b0, INITVAL_38 = 320'b0, INITVAL_39 = 320'b0, INITVAL_3A
    = 320'b0, INITVAL_3B = 320'b0, INITVAL_3C = 320'b0, INITVAL_3D = 320'b0, INITVAL_3E = 320'b0,
    INITVAL_3F = 320'b0
) (
  input CLKA, WEA, CEA, OCEA, RSTA, CSA0, CSA1, CSA2, CLKB, WEB, CEB, OCEB, RSTB, CSB0, CSB1, CSB2,
  input
    ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13, ADB0,
    ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13, DIA0, DIA1,
    DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15,
    DIA16, DIA17, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12,
    DIB13, DIB14, DIB15, DIB16, DIB17,
  output
    DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14,
    DOA15, DOA16, DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11,
    DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
  wire [13:0] ada =
    {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb =
    {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] dia = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0};
  reg [17:0] doa, dob;
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0} = doa;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0} = dob;

  reg [17:0] words [0:1023];
  wire [64 * 320 - 1:0] start = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
    INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32,
    INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24,
    INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D,
    INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16,
    INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F,
    INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00};
  integer i;
  initial for (i = 0; i < 1024; i = i + 1) words[i] = start[i * 20 +: 18];

  // The bits of a word that an access of a narrower width means, as a mask at its place.
  function [17:0] lanes(input integer width, input [13:0] address);
    case (width)
      1: lanes = 18'h1 << (address[3] * 9 + address[2:0]);
      2: lanes = 18'h3 << (address[3] * 9 + address[2:1] * 2);
      4: lanes = 18'hf << (address[3] * 9 + address[2] * 4);
      9: lanes = 18'h1ff << (address[3] * 9);
      default: lanes = {{9{address[1]}}, {9{address[0]}}};
    endcase
  endfunction
  function [4:0] place(input integer width, input [13:0] address);
    case (width)
      1: place = address[3] * 9 + address[2:0];
      2: place = address[3] * 9 + address[2:1] * 2;
      4: place = address[3] * 9 + address[2] * 4;
      9: place = address[3] * 9;
      default: place = 0;
    endcase
  endfunction
  function [17:0] only(input integer width, input [17:0] data);
    only = width >= 18 ? data : data & ((18'h1 << width) - 18'h1);
  endfunction

  wire wide_write = DATA_WIDTH_A == 36;
  wire wide_read = DATA_WIDTH_B == 36;
  wire [9:0] row_a = ada[13:4];
  wire [9:0] row_b = adb[13:4];
  wire [17:0] low_mask = wide_write ? {{9{ada[1]}}, {9{ada[0]}}} : lanes(DATA_WIDTH_A, ada);
  wire [17:0] high_mask = {{9{ada[3]}}, {9{ada[2]}}};
  wire [17:0] low_data = only(DATA_WIDTH_A, dia) << (wide_write ? 5'd0 : place(DATA_WIDTH_A, ada));
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
  input
    A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2,
    B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, C0, C1, C2, C3, C4, C5,
    C6, C7, C8, C9, C10, C11, C12, C13, C14, C15, C16, C17, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output
    P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20,
    P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  wire signed [18:0] a = {SIGNEDA & A17,
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire signed [18:0] b = {SIGNEDB & B17,
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire signed [37:0] product = a * b;
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product[35:0];
endmodule
