import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../root.ts'
import { runCommand, runProgram } from '../../test/run-command.ts'

// None of these comes as far as the database.
const url = 'file:/nowhere/checkstand.db'
const run = (...args: string[]) => runCommand(url, args)

describe('a command that is called wrongly', () => {
  it.each([
    ['an argument that nothing reads', ['key', 'list', 'spring'], 'Too many arguments for list'],
    ['a name with a blank and no quotes', ['instance', 'create', 'Shop'], 'Quote values'],
    ['a second key', ['key', 'revoke', 'sk_a', 'sk_b'], 'Too many arguments for revoke'],
    ['an option that does not exist', ['user', 'create', '--mail', 'x'], "Unknown option '--mail'"],
    ['an option of another command', ['serve', '--port', '3'], "Unknown option '--port'"],
  ])('says what is wrong and where its help is: %s', async (_what, args, words) => {
    const { code, stdout: out, err } = await run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
    expect(err).toContain(`npx checkstand ${args[0]} --help`)
    expect(err).not.toContain('positional')
  })

  it.each([
    ['no action', ['key']],
    ['an action that does not exist', ['key', 'remove']],
    ['a name of every object', ['key', 'constructor']],
    ['a missing argument', ['key', 'revoke']],
  ])('shows the help of the command: %s', async (_what, args) => {
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([2, expect.stringContaining('npx checkstand key revoke <key')])
  })
})

describe('the program', () => {
  it('shows its commands when it is asked for help', async () => {
    const [word, flag] = [await run('help'), await run('--help')]
    expect([word.code, word.stdout]).toEqual([0, flag.stdout])
    expect(word.stdout).toContain('npx checkstand <command> --help')
  })

  it('ends with the exit code of its command, and prints what the command does', async () => {
    for (const args of [['help'], ['key'], ['nothing'], ['key', 'list']]) {
      expect(await runProgram(url, args)).toEqual(await run(...args))
    }
  })

  it('shows its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      version: string
    }
    const { code, stdout: out } = await run('--version')
    expect([code, out]).toEqual([0, `${version}\n`])
  })
})
