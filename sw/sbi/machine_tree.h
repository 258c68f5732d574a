/* The device tree of the machine that runs. */
#ifndef SBI_MACHINE_TREE_H
#define SBI_MACHINE_TREE_H

/* The tree that was linked for this configuration, copied behind the payload, with what only the
 * running machine knows: memory, clock, boot arguments, initial RAM disk. NULL: none fits. */
const void *machine_tree(const char *arguments);

#endif
