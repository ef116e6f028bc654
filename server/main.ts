#!/usr/bin/env node
import { readFileSync } from 'node:fs'
// The whole module, because an older Node would fail on a missing name without naming the required
// version.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { UsageError } from './cli/usage.ts'
import { assertNodeVersion } from './node-version.ts'
import { ROOT } from './root.ts'

const HELP = `npx checkstand <command>

  serve      start the server
  demo       start it with a demo merchant and a payable link
  migrate    bring the database to this version's schema

  instance   create, list, disable and enable merchants' instances
  key        create, list and revoke secret keys
  user       create, list and disable users who sign in, and change their passwords
  client     create, list and disable platforms that act for merchants, and revoke their access
  processor  connect, list, check and disable payment processors, and encrypt their keys again
  payment    list payments that no processor answers for, and record their outcomes

  backup     copy the database while a server uses it
  restore    put a backup back, and have open payments asked about
  move       copy everything to PostgreSQL
  openapi    write the OpenAPI document to standard output

npx checkstand <command> --help explains one. Settings come from the environment; see docs/settings.md.`

/** Commands load their own modules, so that a short command does not load the server. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve: async (args) => (await import('./cli/serve.ts')).serve(args, { demo: false }),
  demo: async (args) => (await import('./cli/serve.ts')).serve(args, { demo: true }),
  migrate: async (args) => (await import('./cli/migrate.ts')).migrateCommand(args),
  instance: async (args) => (await import('./cli/instance.ts')).instanceCommand(args),
  key: async (args) => (await import('./cli/key.ts')).keyCommand(args),
  user: async (args) => (await import('./cli/user.ts')).userCommand(args),
  client: async (args) => (await import('./cli/client.ts')).clientCommand(args),
  processor: async (args) => (await import('./cli/processor.ts')).processorCommand(args),
  payment: async (args) => (await import('./cli/payment.ts')).paymentCommand(args),
  backup: async (args) => (await import('./cli/backup.ts')).backupCommand(args),
  restore: async (args) => (await import('./cli/restore.ts')).restoreCommand(args),
  move: async (args) => (await import('./cli/move.ts')).moveCommand(args),
  openapi: async (args) => (await import('./cli/openapi.ts')).openapiCommand(args),
}

async function main(): Promise<void> {
  const about = readFileSync(new URL('package.json', ROOT), 'utf8')
  assertNodeVersion(process.versions.node, JSON.parse(about).engines.node)
  // Caches compiled code between starts. If the folder is not writable, nothing is cached.
  modules.enableCompileCache(fileURLToPath(new URL('dist/compiled/', ROOT)))
  const [name, ...args] = process.argv.slice(2)
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command) return command(args)
  if (name === 'help' || name === '--help') return console.log(HELP)
  if (name === '--version') return console.log(JSON.parse(about).version)
  throw new UsageError(name === undefined ? HELP : `Unknown command: ${name}\n\n${HELP}`)
}

try {
  await main()
} catch (error) {
  const wrongUsage = error instanceof Error && (error instanceof UsageError || isParseError(error))
  console.error(
    wrongUsage ? explain(error.message) : error instanceof Error ? error.message : error,
  )
  if (error instanceof Error && error.cause instanceof Error) {
    console.error(`  because: ${error.cause.message}`)
  }
  process.exitCode = wrongUsage ? 2 : 1
}

function isParseError(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

/** Returns the error with a hint on usage. Node's advice on `--` does not apply here. */
function explain(message: string): string {
  const [wrong = ''] = message.split(/\. To specify a positional/)
  if (wrong.includes('npx checkstand')) return wrong
  return `${wrong}\nnpx checkstand ${process.argv[2] ?? ''} --help explains the command`
}
