import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What breaks things for us, and the Debian package that brings it. */

const PRELOAD = '/usr/lib/fiu'

export const FIU = [`${PRELOAD}/fiu_run_preload.so`, `${PRELOAD}/fiu_posix_preload.so`].join(' ')

export const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path))

const NEEDED: [what: string, found: () => boolean, how: string][] = [
  ['strace', () => runs('strace', '-V'), 'apt-get install strace'],
  ['libfiu', () => existsSync(`${PRELOAD}/fiu_run_preload.so`), 'apt-get install fiu-utils'],
  ['fiu-ctrl', () => runs('fiu-ctrl', '-h'), 'apt-get install fiu-utils'],
  ['libfaketime', () => FAKETIME !== undefined, 'apt-get install faketime'],
  ['a disk of its own', () => process.getuid?.() === 0, 'run as root, who may mount a tmpfs'],
]

/** Names all that is missing at once, instead of a failure here and a skipped test there. */
export function setup(): void {
  const missing = NEEDED.filter(([, found]) => !found())
  if (missing.length === 0) return
  const lines = missing.map(([what, , how]) => `  ${what}: ${how}`)
  throw new Error(`These are needed to make faults:\n${lines.join('\n')}`)
}

function runs(command: string, flag: string): boolean {
  return spawnSync(command, [flag]).error === undefined
}
