package granule.gen

import granule.cache.{CacheConfig, Region}
import granule.lab.Configurations
import granule.soc.{Finisher, GranuleConfig, MemoryMap, Plic}

/** The machine as Linux wants it described (Devicetree Specification 0.4; bindings of Linux).
  *
  * What only the running machine knows has room here and is set by its firmware (sw/sbi): sizes of
  * memory and firmware, clock, boot arguments, the initial RAM disk.
  */
object DeviceTree {

  /** The core runs a kernel with Sv32 only. */
  def configurations: Seq[GranuleConfig] = Configurations.all.filter(_.mmu.sv32)

  private val bootargsBytes = 512

  /** A driver takes a region by its first, and needs the second. A region of the memory map that is
    * not here is described by its name alone.
    */
  private def bindings(config: GranuleConfig): Map[Region, (Seq[String], Seq[String])] = Map(
    MemoryMap.finisher -> (Seq("sifive,test1", "sifive,test0", "syscon"), Nil),
    MemoryMap.timer -> (Seq("riscv,clint0"), Seq(
      "interrupts-extended = <&hart 3>, <&hart 7>;"
    )),
    MemoryMap.plic -> (Seq("sifive,plic-1.0.0", "riscv,plic0"), Seq(
      "interrupt-controller;",
      "#interrupt-cells = <1>;",
      "#address-cells = <0>;",
      "interrupts-extended = <&hart 11>, <&hart 9>;",
      s"riscv,ndev = <${Plic.sources(config).size}>;"
    )),
    MemoryMap.uart -> (Seq("sifive,uart0"), Seq("clocks = <&clock>;"))
  )

  private def interrupt(r: Region): Seq[String] =
    if (!Plic.sources.contains(r)) Nil
    else Seq("interrupt-parent = <&plic>;", s"interrupts = <${Plic.number(r)}>;")

  /** For a kernel that does not ask the firmware. */
  private def finishes(name: String, command: Int): Seq[String] = node(
    name,
    Seq(
      s"compatible = \"syscon-$name\";",
      "regmap = <&finisher>;",
      "offset = <0>;",
      s"value = <${hex(command)}>;"
    )
  )

  private def hex(n: BigInt) = s"0x${n.toString(16)}"
  private def cells(n: BigInt) = s"${hex(n >> 32)} ${hex(n & 0xffffffffL)}"
  private def window(r: Region) = s"reg = <${cells(r.base)} ${cells(r.size)}>;"

  private def node(name: String, lines: Seq[String]): Seq[String] =
    Seq(s"$name {") ++ lines.map("\t" + _) ++ Seq("};")

  private def cache(name: String, c: CacheConfig): Seq[String] = Seq(
    s"$name-size = <${c.sizeBytes}>;",
    s"$name-sets = <${c.sets}>;",
    s"$name-block-size = <${c.lineBytes}>;"
  )

  private def cpu(config: GranuleConfig): Seq[String] = node(
    "cpu@0",
    Seq(
      "device_type = \"cpu\";",
      "compatible = \"riscv\";",
      "reg = <0>;",
      "riscv,isa = \"rv32ima_zicbom_zicsr_zifencei\";",
      s"riscv,cbom-block-size = <${config.dcache.lineBytes}>;",
      "mmu-type = \"riscv,sv32\";"
    ) ++ cache("i-cache", config.icache) ++ cache("d-cache", config.dcache) ++ Seq(
      s"i-tlb-size = <${config.mmu.fetchTlbEntries}>;",
      s"d-tlb-size = <${config.mmu.dataTlbEntries}>;"
    ) ++ config.l2.toSeq.map(_ => "next-level-cache = <&l2>;") ++ node(
      "hart: interrupt-controller",
      Seq(
        "compatible = \"riscv,cpu-intc\";",
        "interrupt-controller;",
        "#interrupt-cells = <1>;"
      )
    )
  )

  private def level2(c: CacheConfig): Seq[String] = node(
    "l2: l2-cache",
    Seq("compatible = \"cache\";", "cache-level = <2>;", "cache-unified;") ++ cache("cache", c)
  )

  private def peripheral(config: GranuleConfig)(r: Region): Seq[String] = {
    val (compatible, properties) = bindings(config).getOrElse(r, (Seq(s"granule,${r.name}"), Nil))
    node(
      s"${r.name}: ${r.name}@${r.base.toString(16)}",
      Seq(compatible.mkString("compatible = \"", "\", \"", "\";"), window(r)) ++
        interrupt(r) ++ properties
    )
  }

  private def wide = Seq("#address-cells = <2>;", "#size-cells = <2>;")

  def text(config: GranuleConfig): String = {
    val lowmem = s"${MemoryMap.lowmem.base.toString(16)}"
    val empty = s"reg = <${cells(MemoryMap.lowmem.base)} 0 0>;"
    val root = wide ++ Seq(
      s"model = \"Granule ${config.name}\";",
      s"compatible = \"granule,${config.name}\", \"granule\";",
      s"granule,configuration = \"${config.name}\";"
    ) ++ node(
      "chosen",
      Seq(
        s"bootargs = [${Seq.fill(bootargsBytes)("00").mkString(" ")}];",
        "linux,initrd-start = <0>;",
        "linux,initrd-end = <0>;",
        s"stdout-path = &${MemoryMap.uart.name};"
      )
    ) ++ node(
      "aliases", // the driver takes the port's number from here
      Seq(s"serial0 = &${MemoryMap.uart.name};")
    ) ++ node(
      "cpus",
      Seq(
        "#address-cells = <1>;",
        "#size-cells = <0>;",
        s"timebase-frequency = <${config.clockHz}>;"
      ) ++ cpu(config) ++ config.l2.toSeq.flatMap(level2)
    ) ++ node(
      "clock: clock",
      Seq(
        "compatible = \"fixed-clock\";",
        "#clock-cells = <0>;",
        s"clock-frequency = <${config.clockHz}>;"
      )
    ) ++ node(s"memory@$lowmem", Seq("device_type = \"memory\";", empty)) ++
      node(
        "reserved-memory",
        wide ++ Seq("ranges;") ++ node(s"firmware@$lowmem", Seq(empty, "no-map;"))
      ) ++
      node(
        "soc",
        wide ++ Seq("compatible = \"simple-bus\";", "ranges;") ++
          MemoryMap.peripherals(config).flatMap(peripheral(config))
      ) ++ finishes("poweroff", Finisher.pass) ++ finishes("reboot", Finisher.reset)
    (Seq("// written by granule.gen.DeviceTree", "/dts-v1/;") ++ node("/", root))
      .mkString("", "\n", "\n")
  }
}
