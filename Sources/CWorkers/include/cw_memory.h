/* How a decoder process treats the memory that it has been given. */
#ifndef CW_MEMORY_H
#define CW_MEMORY_H

/* Keeps freed memory for the next photo instead of giving it back to the kernel, which would have to clear it again: the
   pictures of one photo are as large as those of the one before. What the process may take in all stays limited. */
void cw_memory_keep(void);

#endif
