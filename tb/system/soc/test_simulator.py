"""The simulator as a program: console, exit status, options, and every kind of bad input."""

import json
import os
import shutil
import struct
import subprocess

import pytest

from sim.compiler import COMPILER, PROGRAMS
from sim.simulator import Run, compile_program, simulate, simulator
from support.run import ROOT, built

ERROR = 125
GAVE_UP = 124


def refused(elf, *options: str) -> Run:
    run = simulate(elf, *options)
    assert run.status == ERROR
    return run


def assemble(source, elf, *more):
    place = "-Wl,-Ttext=0x80000000"
    subprocess.run([*COMPILER, place, *more, str(source), "-o", str(elf)], check=True)


def assembled(tmp_path, text: str, *more: str):
    """A program that does nothing for ever, and what `text` adds."""
    source, elf = tmp_path / "bare.S", tmp_path / "bare.elf"
    source.write_text(f".globl _start\n_start: j _start\n{text}")
    assemble(source, elf, *more)
    return elf


@pytest.fixture(scope="module")
def exit_elf():
    return compile_program("exit")


@pytest.mark.parametrize(("code", "status"), [(0, 0), (1, 1), (7, 7), (254, 254), (256, 255)])
def test_the_exit_status_is_the_programs_code_or_a_failure(exit_elf, code, status):
    run = simulate(exit_elf, "--append", str(code))
    assert run.status == status
    assert f"ended with code {code}" in run.err or code == 0


def test_a_reset_ends_the_run_at_its_store(exit_elf):
    run = simulate(exit_elf, "--append", "r")
    assert run.status == 0 and run.out == "resets\n"
    assert "asked for a reset" in run.err


def test_the_console_carries_both_ways(tmp_path):
    text = "".join(chr(c) for c in range(32, 127) if chr(c) != "q") * 3
    run = simulate(compile_program("echo"), "--append", "hello world", stdin=text + "q")
    assert run.out == "hello world\n" + text
    assert run.status == 255  # 282 characters


def test_what_was_printed_last_is_not_lost():
    """The program ends while its last characters are still in the transmit FIFO."""
    run = simulate(compile_program("echo"), "--append", "0123456789abcdef0123456789", stdin="q")
    assert run.out == "0123456789abcdef0123456789\n"
    assert run.status == 0


def test_boot_arguments_that_do_not_fit_are_refused(exit_elf):
    assert simulate(exit_elf, "--append", "0" * 63).status == 0
    run = refused(exit_elf, "--append", "0" * 64)
    assert "64 characters are too many" in run.err and "holds 63" in run.err


def test_boot_arguments_need_their_symbol(tmp_path):
    run = refused(assembled(tmp_path, ""), "--append", "x")
    assert "boot_command_line" in run.err


def test_giving_up_names_the_place():
    run = simulate(compile_program("echo"), "--max-cycles", "5000")
    assert run.status == GAVE_UP
    assert "5000 cycles" in run.err and "pc 0x80000" in run.err


def test_trace(exit_elf, tmp_path):
    """The simulator becomes its tracing twin; the program does not notice."""
    built("build/granule-sim-trace")
    fst = tmp_path / "a.fst"
    assert simulate(exit_elf, "--trace", str(fst), "--append", "7").status == 7
    assert fst.stat().st_size > 1000
    assert "cannot be written" in refused(exit_elf, "--trace", "/nonexistent/a.fst").err


def test_trace_of_the_mmu(exit_elf, tmp_path):
    """Signals by name, from the first cycle that was asked for to the last, and no value twice."""
    built("build/granule-sim-trace")
    path = tmp_path / "a.jsonl"
    options = ["--trace-start", "100", "--trace-cycles", "20"]
    assert simulate(exit_elf, "--trace-mmu", str(path), *options).status == 0
    head, *lines = map(json.loads, path.read_text().splitlines())
    assert head["machine"] == "teaching" and ["walker.state", 1] in head["names"]
    assert [lines[0]["cycle"], lines[-1]["cycle"]] == [100, 119]
    assert lines[0]["set"]["io_fetch_cmd_payload_untranslated"] == "1"  # in M-mode
    seen = {}
    for line in lines:
        assert not seen.items() & line["set"].items()
        seen |= line["set"]
    run = refused(exit_elf, "--trace-mmu", "/nonexistent/a.jsonl")
    assert "--trace-mmu: /nonexistent/a.jsonl cannot be written" in run.err


def test_a_missing_tracing_twin_is_explained(exit_elf, tmp_path):
    alone = shutil.copy(simulator(), tmp_path / "granule-sim")
    run = subprocess.run(
        [alone, "--trace", "a.fst", exit_elf], capture_output=True, text=True, check=False
    )
    assert run.returncode == ERROR and "make sim-trace" in run.stderr


def test_instruction_log(exit_elf, tmp_path):
    log = tmp_path / "a.txt"
    assert simulate(exit_elf, "--instructions", str(log)).status == 0
    first = log.read_text().splitlines()[0].split()
    assert first[1] == "80000000" and first[3] == "M"


BAD_OPTIONS = [
    (["--nonsense"], "option '--nonsense' does not exist"),
    (["--max-cycles", "many"], "'many' is not a number"),
    (["--max-cycles", "0"], "out of range"),
    (["--max-cycles"], "needs a value"),
    (["--memory", "fixed"], "use fixed:1 to"),
    (["--memory", "fixed:0"], "use fixed:1 to"),
    (["--memory", "board:x"], "use board:10 to"),
    (["--memory", "slow"], "does not exist"),
    (["--lowmem", "0"], "multiple of 4K"),
    (["--lowmem", "2000M"], "to 1048576K"),
    (["--lowmem", "16G"], "not a number"),
    (["--lowmem", "10000"], "multiple of 4K"),
    (["--highmem", "5000M"], "multiple of 4K"),
    (["--lowmem", "99999999999999999999M"], "99999999999999999999 is too large"),
    (["--lowmem", "99999999999999999999"], "99999999999999999999 is too large"),
    (["--stats=1"], "takes no value"),
    (["--milestone", "x"], "--profile"),
    (["--instructions", "/nonexistent/a.txt"], "cannot be written"),
    (["another.elf"], "only one program"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS, ids=lambda v: str(v)[:30])
def test_a_bad_option_is_explained(exit_elf, options, message):
    assert message in refused(None, str(exit_elf), *options).err


def test_without_a_program_it_says_so(exit_elf):
    assert "no program" in refused(None).err
    run = refused(None, "--append", str(exit_elf))
    assert f"--append took '{exit_elf}' as its text" in run.err


def patch(elf, tmp_path, offset, form, value):
    image = bytearray(elf.read_bytes())
    struct.pack_into(form, image, offset, value)
    bad = tmp_path / "bad.elf"
    bad.write_bytes(image)
    return bad


HEADER_DEFECTS = [
    (0, "<I", 0x12345678, "not an ELF file"),
    (4, "<B", 2, "ELF class 2"),
    (5, "<B", 2, "big-endian"),
    (16, "<H", 1, "ELF type 1"),
    (18, "<H", 62, "ELF machine 62"),
    (24, "<I", 0x80000100, "entry is 0x80000100"),
    (28, "<I", 0x7FFFFFFF, "truncated"),
    (32, "<I", 0x7FFFFFFF, "truncated"),
]


@pytest.mark.parametrize("defect", HEADER_DEFECTS, ids=lambda defect: defect[3])
def test_a_bad_elf_header_is_explained(exit_elf, tmp_path, defect):
    *where, message = defect
    run = refused(patch(exit_elf, tmp_path, *where))
    assert message in run.err and "bad.elf" in run.err


def signature(tmp_path, tohost: int, *more: str):
    """The program with what it stores to tohost, its run, and its signature."""
    elf, file = tmp_path / "signature.elf", tmp_path / "signature.txt"
    assemble(PROGRAMS / "signature.S", elf, f"-DTOHOST={tohost}", *more)
    return simulate(elf, "--signature", str(file)), file.read_text()


SIGNATURE = "12345678\ndeadabef\ncdefbeef\n0000002b\n"


@pytest.mark.parametrize(
    ("value", "status"), [(1, 0), (2, 1), (3, 1), (7, 3), (0x1FF, 255), (0x201, 255)]
)
def test_tohost_ends_the_run_and_the_signature_is_written(tmp_path, value, status):
    """The words lie in a cache that writes back; what is stored beside them is not in it."""
    run, text = signature(tmp_path, value)
    assert run.status == status and text == SIGNATURE
    assert ("tohost" in run.err) == (status != 0)
    assert run.cycles < 10_000


def test_a_finisher_ends_a_run_with_a_signature_too(tmp_path):
    run, text = signature(tmp_path, 1, "-DFINISHER", f"-I{ROOT / 'build/include'}")
    assert run.status == 0 and text == SIGNATURE


def test_a_signature_needs_its_symbols_and_a_file(exit_elf, tmp_path):
    run = refused(exit_elf, "--signature", str(tmp_path / "a"))
    assert "no symbols begin_signature and end_signature" in run.err
    elf = tmp_path / "signature.elf"
    assemble(PROGRAMS / "signature.S", elf, "-DTOHOST=1")
    run = refused(elf, "--signature", "/nonexistent/a.txt")
    assert "--signature: /nonexistent/a.txt cannot be written" in run.err


def test_the_flag_of_compressed_instructions_is_no_warning(exit_elf, tmp_path):
    """A macro that aligns code sets it, and a program may hold some that it never executes."""
    run = simulate(patch(exit_elf, tmp_path, 36, "<I", 1))
    assert run.status == 0 and "compressed" not in run.err
    run, _ = signature(tmp_path, 1, "-DALIGNED")
    assert (tmp_path / "signature.elf").read_bytes()[36] & 1
    assert run.status == 0 and "compressed" not in run.err


def test_a_compressed_instruction_is_warned_of_where_it_is_taken_as_illegal(tmp_path):
    run, _ = signature(tmp_path, 1, "-DALIGNED", "-DCOMPRESSED")
    assert run.status == 0 and run.err.count("compressed instruction at pc 0x8000") == 1


def test_a_bad_file_is_explained(exit_elf, tmp_path):
    image, bad = exit_elf.read_bytes(), tmp_path / "bad.elf"
    for keep in (0, 3, 20, 60, 4200):
        bad.write_bytes(image[:keep])
        run = refused(bad)
        assert "truncated" in run.err or "not an ELF" in run.err
    assert "No such file" in refused(tmp_path / "none.elf").err
    refused(tmp_path)


def test_a_segment_outside_of_memory_is_explained(tmp_path):
    elf = assembled(tmp_path, ".data\n.word 1\n", "-Wl,-Tdata=0x81000000")
    run = refused(elf)
    assert "0x81000000" in run.err and "--lowmem" in run.err
    assert simulate(elf, "--lowmem", "32M", "--max-cycles", "100").status == GAVE_UP


def test_output_to_nobody_does_not_change_the_status():
    """stdout closed: the program's code still counts."""
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [simulator(), "--quiet", "--append", "x" * 60, compile_program("echo")],
        input=b"q", stdout=writer, check=False,
    )  # fmt: skip
    os.close(writer)
    assert run.returncode == 0


# ---- snapshots ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "config"), [("board", "teaching"), ("fixed:20", "teaching"), ("board", "ulx3s_l2")]
)
def test_a_run_that_is_saved_and_restored_is_the_same(tmp_path, memory, config):
    """To the cycle, in the middle of what the program measures."""
    elf, file = compile_program("stalls"), str(tmp_path / "snapshot")
    whole = simulate(elf, "--memory", memory, config=config).passed()
    text = whole.out.splitlines()[len(whole.out.splitlines()) // 2]
    options = ("--memory", memory, "--until", text, "--save", file)
    first = simulate(elf, *options, config=config).passed()
    rest = simulate(None, "--restore", file, config=config).passed()
    assert 0 < first.cycles < rest.cycles == whole.cycles
    assert first.out + rest.out == whole.out and text in first.out


def test_what_was_typed_before_a_snapshot_is_in_it(tmp_path):
    file = str(tmp_path / "snapshot")
    first = simulate(compile_program("echo"), "--append", "x", "--until", "bc", "--save", file,
                     stdin="abcdef").passed()  # fmt: skip
    rest = simulate(None, "--restore", file, stdin="ghq")
    assert first.out + rest.out == "x\nabcdefgh" and rest.status == 8


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--save", "FILE"), "--save needs --until TEXT"),
        (("--restore", "FILE", "--append", "x"), "leave both out"),
        (("--restore", "NONE"), "NONE: No such file or directory"),
        (("--restore", "OTHER"), "OTHER was not saved by this simulator; save it again"),
        (("--restore", "SHORT"), "the file ends too early; save it again"),
        (("--until", "x", "--save", "NONE/FILE", "ELF"), "NONE/FILE cannot be written"),
    ],
)
def test_snapshots_that_cannot_be_used(tmp_path, options, says):
    elf, good = compile_program("echo"), tmp_path / "good"
    simulate(elf, "--append", "x", "--until", "x", "--save", str(good)).passed()
    (tmp_path / "SHORT").write_bytes(good.read_bytes()[:-1])
    (tmp_path / "OTHER").write_bytes(b"granule-sim snapshot 1\n" + good.read_bytes())
    named = {"ELF": str(elf)}
    words = [named.get(word) or (str(tmp_path / word) if word.isupper() else word)
             for word in options]  # fmt: skip
    assert says in refused(None, *words).err
