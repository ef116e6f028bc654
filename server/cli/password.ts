import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './usage.ts'

// Secrets are never arguments: other users of the machine can list the arguments of running programs,
// and shells keep them in their history.

export const PASSWORD_OPTIONS = {
  'password-file': { type: 'string' },
  'password-stdin': { type: 'boolean' },
  // Rejected with an explanation.
  password: { type: 'string' },
} as const

export const PASSWORD_HELP = `  --password-file FILE  read the password from a file
  --password-stdin      read the password from standard input; a terminal prompts for it`

interface PasswordValues {
  'password-file'?: string | undefined
  'password-stdin'?: boolean | undefined
  password?: string | undefined
}

/**
 * Returns the password without one trailing line break, or undefined without an option. Throws
 * UsageError for two options, for `--password`, and when the repeated password differs.
 */
export async function readPassword(values: PasswordValues): Promise<string | undefined> {
  const { password, 'password-file': file, 'password-stdin': stdin = false } = values
  if (password !== undefined) {
    throw new UsageError(
      '--password is not accepted: other users of this machine can read arguments. ' +
        'Use --password-stdin or --password-file FILE, with another password',
    )
  }
  if (file !== undefined && stdin) {
    throw new UsageError('--password-file and --password-stdin are mutually exclusive')
  }
  if (file !== undefined) return withoutLineBreak(readFileSync(file, 'utf8'))
  if (!stdin) return undefined
  if (!process.stdin.isTTY) return readStdin()
  const entered = await promptHidden('Password: ')
  if ((await promptHidden('Repeat the password: ')) !== entered) {
    throw new UsageError('The two passwords differ')
  }
  return entered
}

/** Returns a password of 144 random bits. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url')
}

/** Prompts for a secret at a terminal; reads all of standard input otherwise. */
export function readSecret(prompt: string): Promise<string> {
  return process.stdin.isTTY ? promptHidden(prompt) : readStdin()
}

async function readStdin(): Promise<string> {
  return withoutLineBreak(await text(process.stdin))
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

/** Reads a line from the terminal without echoing it. */
function promptHidden(prompt: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  // After the readline interface has switched off the echo.
  process.stderr.write(prompt)
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      process.stderr.write('\n')
      reject(new Error('No input'))
    })
  })
}
