import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { basic } from '../test/client.ts'
import { test as base } from './fixtures.ts'
import { openSite, pageOf } from './site.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const PASSWORD = 'correct horse battery'

/** Runs a command of the CLI on the server's database. */
async function checkstand(...args: string[]): Promise<Record<string, string>> {
  const running = promisify(execFile)(
    process.execPath,
    ['dist/server/main.js', ...args, '--json'],
    {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: 'file:./test-results/e2e-data/checkstand.db' },
    },
  )
  // For the command that creates a user.
  running.child.stdin?.end(PASSWORD)
  const { stdout } = await running
  return JSON.parse(stdout) as Record<string, string>
}

interface Platform {
  /** The URL of the platform's page. */
  url: string
  /** The URL of its "Connect" link. */
  authorise: (more?: Record<string, string>) => string
  /** Exchanges a code for a token, as the platform's server does. */
  exchange: (code: string) => Promise<{ access_token: string }>
}

/** `user` and `chain` are the emails of users with one and with two instances. */
export const test = base.extend<object, { platform: Platform; user: string; chain: string }>({
  platform: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use, { project }) => {
      const baseUrl = project.use.baseURL ?? ''
      let connectUrl = ''
      const elsewhere = await openSite((_path, response) => response.end(pageOf('Elsewhere')))
      const site = await openSite((path, response) => {
        if (path.startsWith('/hop')) {
          response.writeHead(302, { location: `${elsewhere.url}/arrived` }).end()
        } else if (path.startsWith('/callback')) {
          const script = `opener?.postMessage('connected', '*')`
          response.end(pageOf('Connected', `<script>${script}</script>`))
        } else if (path.startsWith('/frame')) {
          response.end(pageOf('Framed', `<iframe src="${connectUrl}"></iframe>`))
        } else {
          response.end(
            pageOf(
              'Ledgerly',
              `<a href="${connectUrl}">Connect</a>
              <button onclick="window.addEventListener('message', (e) => (document.title = e.data));
                window.open('${connectUrl}', 'connect', 'popup')">Connect in a window</button>`,
            ),
          )
        }
      })
      const redirect_url = `${site.url}/callback?tenant=7`
      const made = await checkstand(
        'client',
        'create',
        '--name=Ledgerly',
        '--development',
        ...[redirect_url, `${site.url}/hop`, `${elsewhere.url}/arrived`].map(
          (one) => `--redirect-url=${one}`,
        ),
      )
      const client_id = made['client_id'] ?? ''
      const authorise: Platform['authorise'] = (more = {}) => {
        const asked = {
          response_type: 'code',
          client_id,
          redirect_url,
          state: 'käse & co',
          ...more,
        }
        return `${baseUrl}/oauth/authorize?${new URLSearchParams(asked)}`
      }
      connectUrl = authorise()
      await use({
        url: site.url,
        authorise,
        exchange: async (code) => {
          const response = await fetch(`${baseUrl}/oauth/token`, {
            method: 'POST',
            headers: { authorization: basic(`${client_id}:${made['client_secret']}`) },
            body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_url }),
          })
          return (await response.json()) as { access_token: string }
        },
      })
      site.close()
      elsewhere.close()
    },
    { scope: 'worker' },
  ],

  user: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      await use(await newUser())
    },
    { scope: 'worker' },
  ],

  chain: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const merchant = `Chain ${crypto.randomUUID()}`
      const email = `chain-${crypto.randomUUID()}@shop.example`
      await newInstance(merchant, 'default', 'Corner Shop', email)
      // A user of a merchant may sign in to all its instances.
      await newInstance(merchant, 'events', 'Corner Shop Events & Catering')
      await use(email)
    },
    { scope: 'worker' },
  ],
})

/** Creates a merchant with a user, and returns the email. For tests that change how the user signs in. */
export async function newUser(): Promise<string> {
  return (await newShop()).email
}

/** Creates a merchant with a user and an instance, and returns the email and the secret key. */
export async function newShop(): Promise<{ email: string; secretKey: string }> {
  const email = `solo-${crypto.randomUUID()}@shop.example`
  const made = await newInstance(`Solo ${crypto.randomUUID()}`, 'default', 'Corner Shop', email)
  return { email, secretKey: made['secret_key'] ?? '' }
}

function newInstance(merchant: string, key: string, name: string, email?: string) {
  const named = ['--merchant', merchant, '--key', key, '--name', name]
  const user = email === undefined ? [] : ['--email', email, '--password-stdin']
  return checkstand('instance', 'create', ...named, ...user)
}
