import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from './usage.ts'

/**
 * Passwords and other secrets that a command is given. Never as an argument: every user of the
 * machine can list the arguments of running programs, and shells keep them in their histories.
 */

/** The options of `parseArgs` for a command that takes a password. */
export const PASSWORD_OPTIONS = {
  'password-file': { type: 'string' },
  'password-stdin': { type: 'boolean' },
  // Known only to be refused with the reason.
  password: { type: 'string' },
} as const

export const PASSWORD_HELP = `  --password-file FILE  read the password from a file
  --password-stdin      read it from standard input; at a terminal it is asked for`

interface PasswordValues {
  'password-file'?: string | undefined
  'password-stdin'?: boolean | undefined
  password?: string | undefined
}

/**
 * Returns the password that the options name, or undefined when they name none. One line break at
 * its end is no part of it. Throws WrongUsage for two sources, for `--password` and for a repetition
 * at the terminal that differs, and what reading the file throws.
 */
export async function readPassword(values: PasswordValues): Promise<string | undefined> {
  const { password, 'password-file': file, 'password-stdin': stdin = false } = values
  if (password !== undefined) {
    throw new UsageError(
      '--password is refused: other users of this machine can read the arguments of a program. ' +
        'Use --password-stdin or --password-file FILE, and choose another password than this one',
    )
  }
  if (file !== undefined && stdin) {
    throw new UsageError('--password-file and --password-stdin exclude each other')
  }
  if (file !== undefined) return withoutLineBreak(readFileSync(file, 'utf8'))
  if (!stdin) return undefined
  if (!process.stdin.isTTY) return readPiped()
  const typed = await promptHidden('Password: ')
  if ((await promptHidden('The same again: ')) !== typed) {
    throw new UsageError('The two passwords differ')
  }
  return typed
}

/** Returns a password of 144 random bits. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url')
}

/** Returns a secret from standard input: asked for at a terminal, else all that is piped in. */
export function readSecret(prompt: string): Promise<string> {
  return process.stdin.isTTY ? promptHidden(prompt) : readPiped()
}

async function readPiped(): Promise<string> {
  return withoutLineBreak(await text(process.stdin))
}

function withoutLineBreak(read: string): string {
  return read.replace(/\r?\n$/, '')
}

/** A line from the terminal that is not shown while it is typed. */
function promptHidden(prompt: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  // Only now, when the terminal shows nothing any more of what is typed.
  process.stderr.write(prompt)
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      process.stderr.write('\n')
      reject(new Error('Nothing was typed'))
    })
  })
}
