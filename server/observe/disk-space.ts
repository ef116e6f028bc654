import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Answers whether there is room left for new work. */
export type HasDiskSpace = () => boolean

const MEGABYTE = 1_000_000
/** Of a large disk, of a small one, and at least: what settling the work under way may still need. */
const FREE_MAX = 256 * MEGABYTE
const FREE_SHARE = 0.05
const FREE_MIN = 16 * MEGABYTE
const LOOK_MS = 1000

/**
 * Watches the disk that a SQLite file is on (safety section 3.2, rule 9). A write that fails after
 * the processor has answered leaves a payment that nobody can record, so new work ends while there
 * is still room to settle what has begun: below 256 MB, on disks smaller than 5 GB below 5 %, and
 * always below 16 MB. `freeMin` in bytes says otherwise; 0 watches nothing.
 *
 * PostgreSQL watches its own disk, so without a `path` there is always room.
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
  let looked = Number.NEGATIVE_INFINITY
  let room = true
  return () => {
    const now = performance.now()
    if (now - looked < LOOK_MS) return room
    looked = now
    const before = room
    room = isRoomy(path, freeMin)
    if (before && !room) log.warn({}, 'the disk is nearly full; nothing new is begun')
    return room
  }
}

function isRoomy(path: string, freeMin: number | undefined): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path))
    return bavail * bsize >= (freeMin ?? freeNeeded(blocks * bsize))
  } catch {
    // Not every file system can say; writing to it shows.
    return true
  }
}

/** How much of a disk of so many bytes must be free. */
export function freeNeeded(bytes: number): number {
  return Math.max(FREE_MIN, Math.min(FREE_MAX, bytes * FREE_SHARE))
}
