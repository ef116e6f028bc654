import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROUNDS = 7
const PROGRAM = fileURLToPath(new URL('../server/main.ts', import.meta.url))

/** Medians, in milliseconds, of the time until the server says that it listens, beside a bare Node. */
export async function timeStarts(): Promise<{ listening: number; bare: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-bench-'))
  const env = {
    ...process.env,
    DATABASE_URL: `file:${folder}/start.db`,
    PORT: '0',
    BASE_URL: 'http://127.0.0.1',
  }
  const listening: number[] = []
  const bare: number[] = []
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const began = performance.now()
      const server = spawn(process.execPath, [PROGRAM, 'serve'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(server.stdout, 'data')
      listening.push(performance.now() - began)
      server.kill()
      await once(server, 'exit')
      const then = performance.now()
      await once(spawn(process.execPath, ['--eval', '0']), 'exit')
      bare.push(performance.now() - then)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // The first one migrates the database.
  const median = (all: number[]) =>
    Math.round(all.slice(1).toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0)
  return { listening: median(listening), bare: median(bare) }
}
