"""The seeded defects, block by block.

Each row changes one place of one source file; the place must exist exactly once, whatever white
space it is written with. `source` names the defect of a published MMU that the row repeats ("ours":
none is known)."""

from campaigns.mutants.bridge import BRIDGE_MUTANTS
from campaigns.mutants.cache import CACHE_MUTANTS
from campaigns.mutants.changes import CHANGING
from campaigns.mutants.cpu import CPU_MUTANTS
from campaigns.mutants.dma import DMA_MUTANTS
from campaigns.mutants.early import EARLY_MUTANTS
from campaigns.mutants.entries import ENTRY_MUTANTS
from campaigns.mutants.formats import FORMAT_MUTANTS
from campaigns.mutants.hashed import HASHED_MUTANTS
from campaigns.mutants.litmus import LITMUS_MUTANTS
from campaigns.mutants.mmu import MMU_MUTANTS
from campaigns.mutants.pmp import PMP_MUTANTS
from campaigns.mutants.posted import POSTED_MUTANTS
from campaigns.mutants.soc import SOC_MUTANTS
from campaigns.mutants.sw_areas import SW_AREA_MUTANTS
from campaigns.mutants.sw_files import SW_FILE_MUTANTS
from campaigns.mutants.sw_memory import SW_MEMORY_MUTANTS
from campaigns.mutants.sw_protect import SW_PROTECT_MUTANTS
from campaigns.mutants.tlb import TLB_MUTANTS
from campaigns.mutants.traffic import TRAFFIC_MUTANTS
from campaigns.mutants.walk import WALK_MUTANTS

MUTANTS = [
    *WALK_MUTANTS,
    *TLB_MUTANTS,
    *EARLY_MUTANTS,
    *POSTED_MUTANTS,
    *HASHED_MUTANTS,
    *MMU_MUTANTS,
    *TRAFFIC_MUTANTS,
    *LITMUS_MUTANTS,
    *CPU_MUTANTS,
    *FORMAT_MUTANTS,
    *ENTRY_MUTANTS,
    *CACHE_MUTANTS,
    *PMP_MUTANTS,
    *CHANGING,
    *SOC_MUTANTS,
    *BRIDGE_MUTANTS,
    *DMA_MUTANTS,
    *SW_AREA_MUTANTS,
    *SW_PROTECT_MUTANTS,
    *SW_MEMORY_MUTANTS,
    *SW_FILE_MUTANTS,
]
