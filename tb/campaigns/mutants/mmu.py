"""Seeded defects of what connects TLBs and walker to their users."""

from campaigns.mutants.mutant import Mutant

WALKER = "rtl/src/granule/walk/Walker.scala"
UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"
MMU = "rtl/src/granule/mmu/Mmu.scala"
IP = "rtl/src/granule/mmu/MmuIp.scala"
TURN = "rtl/src/granule/mmu/WalkTurn.scala"

CHANGE = "unit.mmu.cocotb_mmu_context"
FAULT = "unit.mmu.cocotb_mmu_fault"
TRANSLATE = "unit.mmu.cocotb_mmu_translate"

MMU_MUTANTS = [
    Mutant(
        "dirty-of-any-write",
        "DirtyBit is set for every write that is not permitted",
        "ours",
        "rtl/src/granule/walk/Permissions.scala",
        "permitted(p) && write && p.notDirty",
        "!permitted(p) && write || write && p.notDirty",
        "unit.walk.cocotb_wide",
        "dirty_state_of_a_fault",
        unit="mmu:wide",
    ),
    Mutant(
        "at-of-bare-is-flat",
        "AT uses VMSAv8-64's flat map where accesses are Bare",
        "ours (was in this design)",
        "rtl/src/granule/mmu/Mmu.scala",
        "AddressTranslate(config, bare)",
        "AddressTranslate(config, false)",
        "unit.mmu.cocotb_address_translate",
        "untranslated_as_accesses_are",
        unit="mmuip:wide",
    ),
    Mutant(
        "B5-other-requester",
        "the answer of a walk goes to the port that asks now, not to the one that asked",
        "cva6 #3475",
        TURN,
        "when(io.walker.ready) { owner := i }",
        "when(io.walker.ready) { owner := (io.ports(1).request.valid ? U(1) | U(i)).resized }",
        CHANGE,
        "two_requesters_of_one_walker",
    ),
    Mutant(
        "B6-unchecked-hit",
        "permissions are not checked for what is resident",
        "cva6 #3456",
        UNIT,
        "!found.check.allowed(found.mapping.permissions)",
        "(!found.check.allowed(found.mapping.permissions) && RegNext(io.leaf.valid, False))",
        TRANSLATE,
        "every_permission_cold_and_hot",
    ),
    Mutant(
        "B7-cause-of-the-walk",
        "a fault of a walk is always reported as that of a read",
        "cva6 #3299",
        WALKER,
        "status := step.status io.walk.fault.wnr := walk.request.access === Access.write",
        "status := step.status\nio.walk.fault.wnr := False",
        FAULT,
        "bus_error_at_each_level",
    ),
    Mutant(
        "B8-one-cycle-off",
        "the canonical check looks at the address of the access before",
        "cva6 #3404",
        UNIT,
        "highBitsCanonical(cmd.va, ignoreTop)",
        "highBitsCanonical(RegNext(cmd.va), ignoreTop)",
        CHANGE,
        "good_and_bad_accesses_in_turn",
    ),
    Mutant(
        "same-turn-always",
        "while fetch may ask it is its turn, so walks for data wait for its hits to end",
        "ours",
        TURN,
        "(last + 1 to last + portCount).map(_ % portCount).takeWhile(_ != i)",
        "(0 until portCount).takeWhile(_ != i)",
        "unit.mmu.cocotb_walk_turn",
        "all_that_ask_always_take_turns",
        unit="walkturn:teaching",
    ),
    Mutant(
        "at-comes-last",
        "AT has its turn only while no port has a command",
        "ours",
        MMU,
        "mine.mayAsk := at.io.request.valid",
        "mine.mayAsk := at.io.request.valid && !fetch.io.mayAsk && !data.io.mayAsk",
        "unit.mmu.cocotb_mmu_latency",
        "hits_of_one_port_do_not_hold_up_walks",
    ),
    Mutant(
        "a6-orphan",
        "the end of a walk that nobody waits for is taken for that of the next access",
        "C910 #65",
        TURN,
        "elsewhen (ownerAnswered) { orphan := True }",
        "elsewhen (ownerAnswered && False) { orphan := True }",
        CHANGE,
        "a_walk_that_nobody_waits_for",
    ),
    Mutant(
        "f26-truncated-tag",
        "a hit ignores the address bits above the tag",
        "sail-riscv #729",
        UNIT,
        "private val outside = forbidden || !found.high",
        "private val outside = forbidden",
        FAULT,
        "non_canonical_addresses",
    ),
    Mutant(
        "bare-is-flat",
        "S-mode without tables takes the flat map of VMSAv8-64",
        "ours",
        IP,
        "Mmu(config, bare = true)",
        "Mmu(config)",
        "unit.mmu.cocotb_mmu_ip",
        "bare_until_somebody_translates",
        unit="mmuip:teaching",
    ),
]
