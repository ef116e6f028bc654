import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { AppContext } from './router.ts'

type Hosts = Pick<Config, 'baseUrl' | 'consoleUrl'>

/** The pages of merchants, which a script on the payer's page must not reach. */
const CONSOLE = /^\/(console|sign-in|sign-out|oauth\/authorize|docs)(\/|$)/
/** The pages of payers and what merchants' pages load. */
const PAYERS = /^\/(pay|go|widget|unsubscribe|sandbox)(\/|$)|^\/widget\.(js|mjs|json)$/

/** Returns whether the console has a host of its own. */
export function isConsoleApart({ baseUrl, consoleUrl }: Hosts): boolean {
  return baseUrl !== consoleUrl
}

/** Returns whether a request went to the host of the console. Any host is, unless it has its own. */
export function isConsoleHost(config: Hosts, c: AppContext): boolean {
  return !isConsoleApart(config) || hostOf(c) === new URL(config.consoleUrl).host
}

/**
 * Serves the console on its own host alone, and the payer's page on every other one. A browser that opens
 * an address of the console elsewhere is sent to it; all else gets 421.
 */
export function separateHosts(config: Hosts): MiddlewareHandler {
  return async function refuseOtherHost(c, next) {
    if (!isConsoleApart(config)) return next()
    const isConsole = isConsoleHost(config, c)
    const { path, method } = c.req
    if (!(isConsole ? PAYERS : CONSOLE).test(path)) return next()
    // The console shows the QR codes of links, which are pictures.
    if (isConsole && method === 'GET' && path.endsWith('/qr.svg')) return next()
    if (!isConsole && method === 'GET') {
      const url = new URL(c.req.url)
      return c.redirect(`${config.consoleUrl}${url.pathname}${url.search}`, 303)
    }
    throw new ApiError('MISDIRECTED_REQUEST', 'This address is on another host of this server', {
      recordedAs: { event: 'host_refused' },
    })
  }
}

function hostOf(c: AppContext): string {
  return (c.req.header('host') ?? new URL(c.req.url).host).toLowerCase()
}
