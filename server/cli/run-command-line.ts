import { readFileSync } from 'node:fs'
import { ROOT } from '../root.ts'
import { UsageError } from './usage.ts'

const HELP = `npx checkstand <command>

  serve      start the server
  demo       start it with a demo merchant and a payable link
  doctor     say what is wrong with the set-up
  migrate    bring the database to this version's schema

  instance   create, list, disable and enable merchants' instances
  key        create, list and revoke secret keys
  user       create, list and disable users who sign in, and change their passwords
  client     create, list and disable platforms that act for merchants, and revoke their access
  processor  connect, list, check and disable payment processors, and encrypt their keys again
  payment    list payments that no processor answers for, and record their outcomes
  insights   rebuild the totals of payments and the words of searches

  backup     copy the database while a server uses it
  restore    put a backup back, and have open payments asked about
  move       copy everything to PostgreSQL
  openapi    write the OpenAPI document to standard output

npx checkstand <command> --help explains one. Settings come from the environment; see docs/settings.md.`

/** Commands load their own modules, so that a short command does not load the server. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve: async (args) => (await import('./serve.ts')).serve(args, { demo: false }),
  demo: async (args) => (await import('./serve.ts')).serve(args, { demo: true }),
  doctor: async (args) => (await import('./doctor.ts')).doctorCommand(args),
  migrate: async (args) => (await import('./migrate.ts')).migrateCommand(args),
  instance: async (args) => (await import('./instance.ts')).instanceCommand(args),
  key: async (args) => (await import('./key.ts')).keyCommand(args),
  user: async (args) => (await import('./user.ts')).userCommand(args),
  client: async (args) => (await import('./client.ts')).clientCommand(args),
  processor: async (args) => (await import('./processor.ts')).processorCommand(args),
  payment: async (args) => (await import('./payment.ts')).paymentCommand(args),
  insights: async (args) => (await import('./insights.ts')).insightsCommand(args),
  backup: async (args) => (await import('./backup.ts')).backupCommand(args),
  restore: async (args) => (await import('./restore.ts')).restoreCommand(args),
  move: async (args) => (await import('./move.ts')).moveCommand(args),
  openapi: async (args) => (await import('./openapi.ts')).openapiCommand(args),
}

/**
 * Runs a command of the program, `args[0]`, with the arguments that follow. Prints its result or what is
 * wrong, and returns the exit code: 2 for wrong usage. `serve` returns once it listens.
 */
export async function runCommandLine(args: string[]): Promise<number> {
  try {
    await dispatch(args)
    return 0
  } catch (error) {
    const wrongUsage =
      error instanceof Error && (error instanceof UsageError || isParseError(error))
    console.error(
      wrongUsage ? explain(error.message, args[0]) : error instanceof Error ? error.message : error,
    )
    if (error instanceof Error && error.cause instanceof Error) {
      console.error(`  because: ${error.cause.message}`)
    }
    return wrongUsage ? 2 : 1
  }
}

async function dispatch([name, ...args]: string[]): Promise<void> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command(args)
  if (name === 'help' || name === '--help') return console.log(HELP)
  if (name === '--version') {
    const about = readFileSync(new URL('package.json', ROOT), 'utf8')
    return console.log(JSON.parse(about).version)
  }
  throw new UsageError(name === undefined ? HELP : `Unknown command: ${name}\n\n${HELP}`)
}

function isParseError(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** Returns the error with a hint on usage. Node's advice on `--` does not apply here. */
function explain(message: string, command = ''): string {
  const [wrong = ''] = message.split(/\. To specify a positional/)
  if (wrong.includes('npx checkstand')) return wrong
  return `${wrong}\nnpx checkstand ${command} --help explains the command`
}
