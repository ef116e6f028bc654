import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Wrong arguments. The exit code is 2. */
export class UsageError extends Error {}

export function requireOption(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${option} is required`)
  return value
}

type Options = NonNullable<ParseArgsConfig['options']>

export const JSON_OPTION = { json: { type: 'boolean' } } as const

/**
 * Parses the options of a command. Prints the help and returns undefined for `--help`. Throws what
 * `parseArgs` throws.
 */
export function readOptions<const O extends Options>(
  args: string[],
  { help, options, allowPositionals = false }: Described<O> & { allowPositionals?: boolean },
) {
  const parsed = parseArgs({
    args,
    allowPositionals,
    options: { ...options, help: { type: 'boolean' } },
  })
  if (!(parsed.values as { help?: boolean }).help) return parsed
  console.log(help)
  return undefined
}

interface Described<O extends Options> {
  help: string
  options: O
}

interface Usage<Action extends string, O extends Options> extends Described<O> {
  /** The number of arguments that each action takes, 0 or 1. */
  actions: Record<Action, 0 | 1>
}

/**
 * Parses the arguments of a command with actions, such as `key revoke <key>`. Prints the help and
 * returns undefined for `--help`. Throws UsageError for an unknown action and for a missing or surplus
 * argument, and what `parseArgs` throws for options.
 */
export function readUsage<Action extends string, const O extends Options>(
  args: string[],
  { help, actions, options }: Usage<Action, O>,
) {
  const parsed = readOptions(args, {
    help,
    options: { ...options, ...JSON_OPTION },
    allowPositionals: true,
  })
  if (!parsed) return undefined
  const { values, positionals } = parsed
  const [action, argument = '', ...surplus] = positionals
  if (action === undefined || !Object.hasOwn(actions, action)) throw new UsageError(help)
  const expected = actions[action as Action]
  if (expected === 1 && argument === '') throw new UsageError(help)
  if (surplus.length > 0 || (expected === 0 && argument !== '')) {
    throw new UsageError(`Too many arguments for ${action}. Quote values that contain spaces`)
  }
  return {
    values,
    action: action as Action,
    argument,
    json: (values as { json?: boolean }).json ?? false,
  }
}
