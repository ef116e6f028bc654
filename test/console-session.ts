import { type ApiResponse, BASE, type Call, type TestApp } from './app.ts'
import { type Browser, openConsole } from './oauth.ts'

/** Calls what the console calls, as its page does: with the cookie of its user and its own token. */
export type ConsoleCall = (path: string, call?: Call) => Promise<ApiResponse>

/** Returns what calls for the user of a signed-in browser. `origin` is where the console is. */
export async function consoleOf(
  app: Pick<TestApp, 'call'>,
  browser: Browser,
  origin = BASE,
): Promise<ConsoleCall> {
  const boot = await openConsole(browser)
  return (path, { headers, ...call } = {}) =>
    app.call(path, {
      ...call,
      headers: {
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'checkstand-console': boot?.token ?? '',
        'sec-fetch-site': 'same-origin',
        origin,
        ...headers,
      },
    })
}
