/* What the firmware boots, as files: a flat binary for S-mode (SBI_PAYLOAD), an initial RAM disk if
 * there is one (SBI_INITRD), and the device trees of all machines (SBI_TREES). */

    .section .trees, "a"
    .balign 8
    .incbin SBI_TREES

    .section .payload, "ax"
    .incbin SBI_PAYLOAD

#ifdef SBI_INITRD
    .section .initrd, "a"
    .incbin SBI_INITRD
#endif
