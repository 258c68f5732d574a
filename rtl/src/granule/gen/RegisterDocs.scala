package granule.gen

import spinal.lib.bus.regif._

/** What is written of a register block for its users: a C header `granule_NAME.h` whose macros
  * begin with GRANULE_NAME, and an HTML page `granule_NAME.html`, both in the target directory of
  * the generation. All registers must be there.
  */
object RegisterDocs {
  def write(bus: BusIf, name: String): Unit = {
    val header = DocCHeader(s"granule_$name", s"GRANULE_${name.toUpperCase}", "uint32_t")
    bus.accept(header.setheader(s"Registers of the $name block; addresses count from its base."))
    bus.accept(DocHtml(s"granule_$name"))
  }
}
