// A LUT as one table look-up: without branches, which is what the speed of the simulation hangs
// on.
module LUT1 (output F, input I0);
  parameter [1:0] INIT = 0;
  wire [1:0] place = INIT >> {I0};
  assign F = place[0];
endmodule

module LUT2 (output F, input I0, I1);
  parameter [3:0] INIT = 0;
  wire [3:0] place = INIT >> {I1, I0};
  assign F = place[0];
endmodule

module LUT3 (output F, input I0, I1, I2);
  parameter [7:0] INIT = 0;
  wire [7:0] place = INIT >> {I2, I1, I0};
  assign F = place[0];
endmodule

module LUT4 (output F, input I0, I1, I2, I3);
  parameter [15:0] INIT = 0;
  wire [15:0] place = INIT >> {I3, I2, I1, I0};
  assign F = place[0];
endmodule

`define MUX(name) \
module name (output O, input I0, I1, S0); assign O = I1 & S0 | I0 & ~S0; endmodule
`MUX(MUX2_LUT5)
`MUX(MUX2_LUT6)
`MUX(MUX2_LUT7)
`MUX(MUX2_LUT8)
