"""Two files with a module of the same name become one simulation."""

from support.together import simulation

FILE = """module Whole (
  input  wire          clk
);
  Part part (
    .clk (clk)
  );
endmodule

module Part (
  input  wire          clk
);
  (* keep_hierarchy = "TRUE" *) Fifo #(.WIDTH(WIDTH)) fifo (
    .clk (clk)
  );
  %s
endmodule

module Fifo #(
  parameter WIDTH = 1
) (
  input  wire          clk
);
endmodule
"""


def test_each_part_has_the_modules_of_its_own_file():
    text = simulation(("Part", file, FILE % f"// {file}") for file in ("a", "b"))
    assert "Whole" not in text and text.count("endmodule") == 2 * 2 + 1
    for file in ("a", "b"):
        part = text[text.index(f"module Part_of_{file} (") :]
        assert f"// {file}\n" in part[: part.index("endmodule")]
        assert f" Fifo_of_{file} #(.WIDTH(WIDTH)) fifo (" in part[: part.index("endmodule")]
        assert f"module Fifo_of_{file} #(" in text
        assert (
            f"\n  Part_of_{file} Part_of_{file} ();\n" in text[text.index("module together ();") :]
        )
