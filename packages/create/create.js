#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

// Sets up a folder that runs Checkstand. Has no dependencies, and never writes into a folder that has files.

const HELP = `npm create checkstand [folder] [-- --yes] [--database sqlite|postgres] [--shop none|hono]

Writes a folder with package.json, .env, .gitignore and README.md. --yes asks nothing: SQLite, no shop.`

const { values, positionals } = readArguments()
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const prompt = values.yes
  ? undefined
  : createInterface({ input: process.stdin, output: process.stdout })
const folder = resolve(positionals[0] ?? (await ask('Folder', undefined, 'checkstand')))
const database = values.database ?? (await ask('Database', ['sqlite', 'postgres'], 'sqlite'))
const shop = values.shop ?? (await ask('A shop to begin with', ['none', 'hono'], 'none'))
prompt?.close()
if (!['sqlite', 'postgres'].includes(database))
  fail(`--database is sqlite or postgres, not ${database}`)
if (!['none', 'hono'].includes(shop)) fail(`--shop is none or hono, not ${shop}`)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} has files already`)
write()
console.log(`
  ${folder} is ready:

    cd ${folder}
    npm install
    npm start
${database === 'postgres' ? '\n  Set DATABASE_URL in .env first.\n' : ''}`)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        yes: { type: 'boolean' },
        database: { type: 'string' },
        shop: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    fail(`${error.message}\n\n${HELP}`)
  }
}

/** Asks for one of some answers, or for any text. */
async function ask(question, answers, usual) {
  if (!prompt) return usual
  const choice = answers ? ` (${answers.join(', ')})` : ''
  const given = (await prompt.question(`${question}${choice} [${usual}]: `)).trim() || usual
  if (!answers || answers.includes(given)) return given
  console.log(`Please answer with ${answers.join(' or ')}.`)
  return ask(question, answers, usual)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}

function write() {
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  const program = 'node --env-file=.env node_modules/checkstand/dist/server/main.js'
  const about = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-') || 'checkstand',
    private: true,
    type: 'module',
    scripts: {
      start: `${program} serve`,
      checkstand: program,
      doctor: `${program} doctor`,
      ...(shop === 'hono' && { shop: 'node --env-file=.env shop.mjs' }),
    },
    dependencies: {
      checkstand: `^${version}`,
      ...(shop === 'hono' && {
        '@hono/node-server': '^2.0.0',
        'checkstand-client': `^${version}`,
        hono: '^4.0.0',
      }),
    },
  }
  const settings = [
    '# All settings: /docs/settings of the running server.',
    '# The address that payers see; https and TRUST_PROXY for live instances.',
    'BASE_URL=http://localhost:4242',
    database === 'sqlite'
      ? 'DATABASE_URL=file:./checkstand-data/checkstand.db'
      : 'DATABASE_URL=postgres://user:password@localhost/checkstand',
    '# Encrypts the keys of processors. Keep a copy with your backups.',
    `CHECKSTAND_ENCRYPTION_KEY=${randomBytes(32).toString('base64')}`,
    ...(shop === 'hono'
      ? [
          '',
          '# The shop: a secret key, and the secret of a webhook to http://localhost:8001/hooks.',
        ]
      : []),
    ...(shop === 'hono' ? ['CHECKSTAND_KEY=', 'WEBHOOK_SECRET='] : []),
  ]
  mkdirSync(folder, { recursive: true })
  const file = (name, text, mode = 0o644) =>
    writeFileSync(join(folder, name), text, { mode, flag: 'wx' })
  file('package.json', `${JSON.stringify(about, null, 2)}\n`)
  // It holds secrets.
  file('.env', `${settings.join('\n')}\n`, 0o600)
  file('.gitignore', 'node_modules/\ncheckstand-data/\n.env\n')
  file('README.md', readme())
  if (shop === 'hono') copyFileSync(new URL('shop.mjs', import.meta.url), join(folder, 'shop.mjs'))
}

function readme() {
  return `# Payments

| Command                         | Effect                                                    |
| ------------------------------- | --------------------------------------------------------- |
| \`npm start\`                     | starts Checkstand; the first start prints where to begin  |
| \`npm run doctor\`                | says what is wrong with the set-up                        |
| \`npm run checkstand -- --help\`  | lists the commands                                        |
${shop === 'hono' ? '| `npm run shop`                  | starts the shop, whose settings are in `.env`             |\n' : ''}
The guides are at \`/docs\` of the running server. Settings are in \`.env\`.
`
}
