import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns whether the disk has space for new work. */
export type HasDiskSpace = () => boolean

const MEGABYTE = 1_000_000
const FREE_MAX = 256 * MEGABYTE
const FREE_FRACTION = 0.05
const FREE_MIN = 16 * MEGABYTE
const CHECK_INTERVAL_MS = 1000

/**
 * Checks the free space of the disk with the SQLite file. A write that fails after the processor's
 * response loses the outcome of a payment, so new work stops while there is space to settle the
 * work in progress: below 256 MB, below 5 % on disks smaller than 5 GB, and always below 16 MB.
 * `freeMin` replaces that limit, in bytes; 0 disables the check.
 *
 * PostgreSQL watches its own disk, so without a `path` there is no check.
 */
export function watchDiskSpace({
  path,
  freeMin,
  log,
}: {
  path: string | null
  freeMin: number | undefined
  log: { warn(fields: object, message: string): void }
}): HasDiskSpace {
  if (path === null || freeMin === 0) return () => true
  let checkedAt = Number.NEGATIVE_INFINITY
  let isFree = true
  return () => {
    const now = performance.now()
    if (now - checkedAt < CHECK_INTERVAL_MS) return isFree
    checkedAt = now
    const wasFree = isFree
    isFree = hasFreeSpace(path, freeMin)
    if (wasFree && !isFree) log.warn({}, 'the disk is nearly full; new work is rejected')
    return isFree
  }
}

function hasFreeSpace(path: string, freeMin: number | undefined): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path))
    return bavail * bsize >= (freeMin ?? requiredFreeBytes(blocks * bsize))
  } catch {
    // Not every file system reports its space.
    return true
  }
}

/** Returns the bytes that must be free on a disk of `bytes`. */
export function requiredFreeBytes(bytes: number): number {
  return Math.max(FREE_MIN, Math.min(FREE_MAX, bytes * FREE_FRACTION))
}
