"""What the page of lab 0 says beside an answer that is not right."""

_INDEX = (
    "The offset has 12, 14 or 16 bits, and each level above it 9, 11 or 13; the first table gets "
    "what is left of the address. Write the address in binary and count from the right."
)
_ENTRY = "The address of a descriptor is that of its table plus 8 times the index."
_LEVELS = (
    "Take the bits of the offset away: 12, 14 or 16. A level translates 9, 11 or 13 of the others; "
    "count levels until none is left."
)
_NEXT = " The table is in bits 47:n of the descriptor before it; n is the number of offset bits."

HINTS = {
    "levels_4k": _LEVELS,
    "levels_16k": _LEVELS,
    "levels_64k": _LEVELS,
    "first_entries": "The first table translates the bits that the other levels leave over: "
    "with n bits left it has 2 to the power of n entries.",
    "a_index_1": _INDEX,
    "a_index_2": _INDEX,
    "a_index_3": _INDEX,
    "a_entry_1": _ENTRY + " The first table is where TTBR0 says.",
    "a_entry_2": _ENTRY + _NEXT,
    "a_entry_3": _ENTRY + _NEXT,
    "a_page": "Take bits 47:n of the last descriptor; n is the number of offset bits. What lies "
    "below is 0.",
    "a_address": "Add the offset of the virtual address to the start of the page.",
    "a_write": "AP[2], bit 7, forbids to write.",
    "a_execute": "UXN, bit 54, forbids a program to execute.",
    "b_reads": "A descriptor that ends in 01 above level 3 maps a block: the walk ends there.",
    "b_size": "A block maps what a whole table of the next level would: entries of a table times "
    "the size of a page.",
    "b_address": "Below a block the offset has the bits of level 3's index too.",
    "c_fault": "Check in this order: is each descriptor valid, is AF set, may the program do this?",
    "c_level": "The last level is always 3. The fault comes about where the walk ends.",
    "c_status": "0x04, 0x08 or 0x0c, plus the level.",
    "d_entry": "HA sets AF, bit 10. For a write HD clears AP[2], bit 7, too, where DBM is set. "
    "All other bits stay.",
}
