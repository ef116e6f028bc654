/** Wrong arguments. The exit code is 2. */
export class UsageError extends Error {}

/** Returns the argument at a place. Throws a UsageError that says what is missing. */
export function requireArgument(args: readonly string[], at: number, what: string): string {
  const value = args[at]
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`)
  return value
}
