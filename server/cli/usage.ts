/** The command was called wrongly; the program ends with exit code 2. */
export class WrongUsage extends Error {}

/** The value of a flag that must be given; throws WrongUsage that names it. */
export function required(value: string | undefined, flag: string): string {
  if (value === undefined || value === '') throw new WrongUsage(`--${flag} is required`)
  return value
}

/** One JSON object for programs, or `name: value` lines for people. */
export function print(values: Record<string, unknown>, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(values))
    return
  }
  for (const [name, value] of Object.entries(values)) {
    console.log(`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  }
}
