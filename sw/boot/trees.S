/* The device trees of the machines that the firmware is made for (SW_TREES of sw/sw.mk). */
    .section .rodata
    .balign 8
    .global machine_trees, machine_trees_end
machine_trees:
    .incbin SW_TREES
machine_trees_end:
