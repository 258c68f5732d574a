// A LUT as one table look-up: without branches, which is what the speed of the simulation hangs on.
module LUT4 (input A, B, C, D, output Z);
  parameter [15:0] INIT = 16'h0000;
  wire [15:0] place = INIT >> {D, C, B, A};
  assign Z = place[0];
endmodule

module PFUMX (input ALUT, BLUT, C0, output Z);
  assign Z = ALUT & C0 | BLUT & ~C0;
endmodule

module L6MUX21 (input D0, D1, SD, output Z);
  assign Z = D1 & SD | D0 & ~SD;
endmodule
