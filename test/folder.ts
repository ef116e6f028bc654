import { statfsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const FREE_BYTES_MIN = 512 * 1024 * 1024

/**
 * Makes a folder for a test's files, in memory where the system offers that. No test survives a power
 * cut, and on a disk each of them would wait for every commit.
 */
export function testFolder(): Promise<string> {
  return mkdtemp(join(hasFreeSpace(MEMORY) ? MEMORY : tmpdir(), 'checkstand-test-'))
}

function hasFreeSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > FREE_BYTES_MIN
  } catch {
    return false
  }
}
