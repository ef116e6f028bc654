import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The command was called wrongly; the program ends with exit code 2. */
export class UsageError extends Error {}

/** The value of a flag that must be given; throws WrongUsage that names it. */
export function requireOption(value: string | undefined, flag: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${flag} is required`)
  return value
}

type Options = NonNullable<ParseArgsConfig['options']>

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const

/** What a command such as `key` can be asked for. */
interface Usage<Action extends string, O extends Options> {
  help: string
  /** The number of arguments that each action takes, 0 or 1. */
  actions: Record<Action, 0 | 1>
  options: O
}

/**
 * Reads the arguments of a command with actions, such as `key revoke <key>`. Every command has
 * `--json` and `--help`; for the latter it prints the help and returns undefined. Throws WrongUsage
 * for an action that does not exist, and for an argument that is missing or that nothing reads: a
 * command that ignored one would do less than its caller believes. Throws what `parseArgs` throws
 * for options.
 */
export function readUsage<Action extends string, const O extends Options>(
  args: string[],
  { help, actions, options }: Usage<Action, O>,
) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...options, ...COMMON },
  })
  const common = values as { json?: boolean; help?: boolean }
  if (common.help) {
    console.log(help)
    return undefined
  }
  const [action, argument = '', ...more] = positionals
  if (action === undefined || !Object.hasOwn(actions, action)) throw new UsageError(help)
  const takes = actions[action as Action]
  if (takes === 1 && argument === '') throw new UsageError(help)
  if (more.length > 0 || (takes === 0 && argument !== '')) {
    throw new UsageError(`Too many arguments for ${action}. A value with blanks needs quotes`)
  }
  return { values, action: action as Action, argument, json: common.json ?? false }
}
