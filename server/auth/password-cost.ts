/** What a hash of a password costs, in KiB and passes of argon2id: about 40 ms of one core. */
export const MEMORY_KIB = 19 * 1024
export const PASSES = 2
