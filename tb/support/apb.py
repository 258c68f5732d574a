"""An APB3 master for cocotb benches."""

from cocotb.triggers import FallingEdge, RisingEdge

from support.parts import start


class Apb:
    """Every access returns its data or None, the slave error, and its cycles."""

    def __init__(self, dut, prefix: str = "io_apb", limit: int = 500):
        self.clk, self.limit = dut.clk, limit
        self.wires = {
            name: getattr(dut, f"{prefix}_{name}", None)
            for name in ("PSEL", "PENABLE", "PWRITE", "PADDR", "PWDATA", "PREADY", "PRDATA",
                         "PSLVERROR")
        }  # fmt: skip
        self._set(PSEL=0, PENABLE=0, PWRITE=0, PADDR=0, PWDATA=0)

    @classmethod
    async def start(cls, dut, **inputs):
        """Of a unit that has nothing else to be driven than `inputs`."""
        apb = cls(dut)
        await start(dut, **inputs)
        return apb

    def _set(self, **values) -> None:
        for name, value in values.items():
            self.wires[name].value = value

    def _get(self, name: str) -> int:
        return int(self.wires[name].value)

    async def access(self, address, data=None):
        self._set(PSEL=1, PWRITE=int(data is not None), PADDR=address, PWDATA=data or 0)
        await RisingEdge(self.clk)
        self._set(PENABLE=1)
        cycles = 1
        await FallingEdge(self.clk)
        while not self._get("PREADY"):
            await FallingEdge(self.clk)
            cycles += 1
            assert cycles < self.limit, f"access to {address:#x} is not acknowledged"
        value = self._get("PRDATA") if data is None else None
        error = self.wires["PSLVERROR"] is not None and bool(self._get("PSLVERROR"))
        await RisingEdge(self.clk)
        self._set(PSEL=0, PENABLE=0)
        return value, error, cycles

    async def read(self, address):
        value, error, _ = await self.access(address)
        assert not error, f"{address:#x}"
        return value

    async def write(self, address, data):
        _, error, cycles = await self.access(address, data)
        assert not error, f"{address:#x}"
        return cycles

    async def read64(self, address):
        return await self.read(address) | await self.read(address + 4) << 32

    async def write64(self, address, data):
        await self.write(address, data & 0xFFFF_FFFF)
        await self.write(address + 4, data >> 32)
