import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd, type AtEnd } from './at-end.ts'

const MEMORY = '/dev/shm'
const FREE_BYTES_MIN = 512 * 1024 * 1024

/**
 * Makes a folder for a test's files, in memory where the system offers that. No test survives a power
 * cut, and on a disk each of them would wait for every commit. Deleted at the end of the test, or of
 * the file outside of one.
 */
export async function testFolder(cleanUp: AtEnd = atEnd): Promise<string> {
  const folder = await mkdtemp(join(hasFreeSpace(MEMORY) ? MEMORY : tmpdir(), 'checkstand-test-'))
  cleanUp(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function hasFreeSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > FREE_BYTES_MIN
  } catch {
    return false
  }
}
