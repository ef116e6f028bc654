/** The least that argon2id takes. Tests make hundreds of hashes, whose cost proves nothing. */
export const MEMORY_KIB = 8
export const PASSES = 1
