/** The command was called wrongly; the program ends with exit code 2. */
export class WrongUsage extends Error {}

/** The value of a flag that must be given; throws WrongUsage that names it. */
export function required(value: string | undefined, flag: string): string {
  if (value === undefined || value === '') throw new WrongUsage(`--${flag} is required`)
  return value
}
