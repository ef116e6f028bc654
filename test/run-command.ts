import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { format } from 'node:util'
import { expect } from 'vitest'
import { runCommandLine } from '../server/cli/run-command-line.ts'
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
 * Runs `checkstand …` as a script would, in a process of its own and on a database that a server may be
 * using meanwhile. `input` is piped into it. For facts about processes; the others take `runCommand`.
 */
export function runProgram(
  databaseUrl: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const env = environmentOf(databaseUrl, settings)
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, err) => {
      resolve(resultOf(args, error === null ? 0 : Number(error.code), out, err))
    })
    child.stdin?.end(input)
  })
}

let running: Promise<unknown> = Promise.resolve()

/**
 * Runs `checkstand …` as `runProgram` does, in this process, which takes a tenth of the time. Commands
 * wait for each other.
 */
export function runCommand(
  databaseUrl: string,
  args: readonly string[],
  settings: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const env = environmentOf(databaseUrl, settings)
  const ran = running.then(() => runHere(args, env, input))
  running = ran.catch(() => {})
  return ran
}

async function runHere(args: readonly string[], env: Record<string, string>, input: string) {
  const { env: ownEnv, stdin } = process
  const { log, error } = console
  const writeError = process.stderr.write.bind(process.stderr)
  let [out, err] = ['', '']
  const setInput = (value: unknown) =>
    Object.defineProperty(process, 'stdin', { value, configurable: true })
  process.env = env
  setInput(Readable.from([input]))
  Object.assign(console, {
    log: (...line: unknown[]) => void (out += `${format(...line)}\n`),
    error: (...line: unknown[]) => void (err += `${format(...line)}\n`),
  })
  process.stderr.write = (text: unknown) => (err += String(text)) !== ''
  try {
    const code = await runCommandLine([...args])
    return resultOf(args, code, out, err)
  } finally {
    process.env = ownEnv
    setInput(stdin)
    Object.assign(console, { log, error })
    process.stderr.write = writeError
  }
}

const environmentOf = (databaseUrl: string, settings: Record<string, string>) => ({
  PATH: process.env['PATH'] ?? '',
  DATABASE_URL: databaseUrl,
  ...settings,
})

function resultOf(
  args: readonly string[],
  code: number,
  stdout: string,
  err: string,
): CommandResult {
  const isJson = stdout.startsWith('{') && args.includes('--json')
  return { code, stdout, err, json: isJson ? JSON.parse(stdout) : undefined }
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
