package granule.gen

import granule.cache.Region
import granule.cpu.{PerfEvent, Stall}
import granule.soc.{Finisher, GranuleConfig, MemoryMap, Plic}

/** The memory map and the event numbers in the languages of their users: C and assembler, the
  * linker, Python. Each function gives the text of one file; nothing in it depends on the day.
  */
object MapFiles {
  private def hex(n: BigInt): String = f"0x$n%08x"
  private def macroName(r: Region) = s"GRANULE_${r.name.toUpperCase}"
  private val origin = "written by granule.gen.Includes from soc/MemoryMap.scala"
  private def last(r: Region): BigInt = r.base + r.size - 1

  /** For C and assembler: no suffixes, a hexadecimal constant takes the type that it needs. */
  def cHeader: String = {
    val width = MemoryMap.all.map(macroName(_).length).max + 6
    val lines = MemoryMap.all.flatMap { r =>
      Seq(
        s"/* ${r.description} */",
        s"#define ${(macroName(r) + "_BASE").padTo(width, ' ')} ${hex(r.base)}",
        s"#define ${(macroName(r) + "_SIZE").padTo(width, ' ')} ${hex(r.size)}"
      )
    }
    val reset = Seq(
      "/* first instruction after reset in the simulator */",
      s"#define ${"GRANULE_RESET_PC".padTo(width, ' ')} ${hex(GranuleConfig.teaching.resetPc)}"
    )
    def constant(name: String, value: String) =
      s"#define ${s"GRANULE_$name".padTo(width, ' ')} $value"
    val interrupts = "/* numbers of interrupts at the PLIC */" +:
      Plic.sources.map(r => constant(s"${r.name.toUpperCase}_IRQ", Plic.number(r).toString))
    val finisher =
      "/* what is written to the finisher; a failure's code is in bits 31:16 */" +: Seq(
        constant("FINISHER_PASS", hex(Finisher.pass)),
        constant("FINISHER_FAIL", hex(Finisher.fail)),
        constant("FINISHER_RESET", hex(Finisher.reset))
      )
    val all = lines ++ reset ++ interrupts ++ finisher
    guarded("GRANULE_MAP_H", s"/* Physical memory map; $origin. */", all)
  }

  /** Event n is counter 3 + n; `X(name, n, text)` runs over all of them, and over the second events
    * of counters.
    */
  def eventsHeader: String = {
    val events = PerfEvent.all.zipWithIndex
    val width = events.map(_._1.name.length).max
    val numbers = events.map { case (e, n) =>
      s"#define GRANULE_EVENT_${e.name.toUpperCase.padTo(width, ' ')} $n"
    }
    def table(name: String, events: Seq[(PerfEvent, Int)]) = s"#define $name(X) \\" +:
      events.map { case (e, n) =>
        val end = if (n == events.last._2) "" else " \\"
        s"""\tX(${e.name}, $n, "${e.description}")$end"""
      }
    val second = PerfEvent.second.toSeq.sortBy(_._1).map(_.swap)
    val csrs = Seq(
      s"#define GRANULE_EVENT_COUNT ${events.size}",
      "/* CSR numbers of the counter of event n; the kernel's and the user's view */",
      "#define GRANULE_EVENT_MCOUNTER(n)  (0xb03 + (n))",
      "#define GRANULE_EVENT_MCOUNTERH(n) (0xb83 + (n))",
      "#define GRANULE_EVENT_COUNTER(n)   (0xc03 + (n))",
      "#define GRANULE_EVENT_COUNTERH(n)  (0xc83 + (n))",
      "/* and of its mhpmevent, with the two values that it takes */",
      "#define GRANULE_EVENT_SELECTOR(n)  (0x323 + (n))",
      "#define GRANULE_EVENT_FIRST(n)     (1 + (n))",
      s"#define GRANULE_EVENT_SECOND(n)    (${(1 << PerfEvent.chooseSecond) + 1} + (n))"
    )
    guarded(
      "GRANULE_EVENTS_H",
      "/* Performance events; written by granule.gen.Includes from port/Events.scala. */",
      numbers ++ csrs ++ table("GRANULE_EVENTS", events) ++ table("GRANULE_STALLS", second)
    )
  }

  /** Only what a 32-bit link can name: regions that a pointer reaches. */
  def linker: String = {
    val reachable = MemoryMap.all.filter(last(_) < (BigInt(1) << 32))
    val symbols = reachable.map(r => s"${macroName(r)}_BASE = ${hex(r.base)};")
    val memory = reachable.filter(_.memory).map { r =>
      s"\t${r.name} (rwx) : ORIGIN = ${hex(r.base)}, LENGTH = ${hex(r.size)}"
    }
    (Seq(s"/* $origin */") ++ symbols ++ Seq("MEMORY {") ++ memory ++ Seq("}"))
      .mkString("", "\n", "\n")
  }

  /** Numbers are decimal, as JSON wants them. */
  def json: String = {
    val regions = MemoryMap.all.map { r =>
      s"""    {"name": "${r.name}", "base": ${r.base}, "size": ${r.size}, """ +
        s""""memory": ${r.memory}, "description": "${r.description}"}"""
    }
    def names(events: Seq[PerfEvent]) = events.map(e => s"""    "${e.name}"""").mkString(",\n")
    s"""{
       |  "regions": [
       |${regions.mkString(",\n")}
       |  ],
       |  "events": [
       |${names(PerfEvent.all)}
       |  ],
       |  "first_stall": ${PerfEvent.firstStall},
       |  "stalls": [
       |${names(Stall.events.map(_._2))}
       |  ]
       |}
       |""".stripMargin
  }

  private def guarded(guard: String, head: String, lines: Seq[String]): String =
    (Seq(head, s"#ifndef $guard", s"#define $guard") ++ lines ++ Seq("#endif"))
      .mkString("", "\n", "\n")
}
