import { execFile } from 'node:child_process'
import { expect } from 'vitest'
import { PROGRAM } from './program.ts'

/** What a command of the program wrote, and how it ended. */
export interface CommandResult {
  code: number
  stdout: string
  err: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into what was printed freely
  json: any
}

/**
 * Runs `checkstand …` as a script would, on a database that a server may be using meanwhile. `input`
 * is piped into it.
 */
export function runCommand(
  databaseUrl: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, ...settings }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code)
      resolve({
        code,
        stdout: out,
        err,
        json: out.startsWith('{') && args.includes('--json') ? JSON.parse(out) : undefined,
      })
    })
    child.stdin?.end(input)
  })
}

/** Expects the exit code of each command, and words in what it says. */
export async function expectRefused(
  run: (...args: string[]) => Promise<CommandResult>,
  commands: readonly (readonly [args: readonly string[], code: number, words: string])[],
): Promise<void> {
  for (const [args, code, words] of commands) {
    const ran = await run(...args)
    expect([args, ran.code, ran.err]).toEqual([args, code, expect.stringContaining(words)])
  }
}
