import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd, type AtEnd } from './at-end.ts'

const MEMORY = '/dev/shm'
const FREE_BYTES_MIN = 512 * 1024 * 1024

/**
 * Makes a folder for a test's files where `fastFolder` says. Deleted at the end of the test, or of the
 * file outside of one.
 */
export async function testFolder(cleanUp: AtEnd = atEnd): Promise<string> {
  const folder = await mkdtemp(join(fastFolder(FREE_BYTES_MIN), 'checkstand-test-'))
  cleanUp(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Returns the folder for temporary files, in memory where the system offers that many bytes of it. No
 * test survives a power cut, and on a disk each of them would wait for every commit.
 */
export function fastFolder(bytes: number): string {
  return hasFreeSpace(MEMORY, bytes) ? MEMORY : tmpdir()
}

function hasFreeSpace(folder: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > bytes
  } catch {
    return false
  }
}
