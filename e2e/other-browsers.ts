import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Browsers of the operating system, which Playwright cannot drive: Firefox by WebDriver BiDi, WebKit by
 * WebDriver. Only what a test of isolation needs.
 */
export interface OtherBrowser {
  goto: (url: string) => Promise<void>
  /** Runs the body of an async function in the page, and returns its JSON. */
  run: <Result>(body: string) => Promise<Result>
  close: () => Promise<void>
}

const FIREFOX = ['/usr/bin/firefox', '/usr/bin/firefox-esr'].find((path) => existsSync(path))
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver'
const [WEBKIT] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')

/** What starts each browser; undefined for one that is not installed, and for WebKit without a display. */
export const OTHER_BROWSERS = {
  Firefox: FIREFOX === undefined ? undefined : () => openFirefox(FIREFOX),
  WebKit:
    WEBKIT === undefined || !existsSync(WEBKIT_DRIVER) || !process.env['DISPLAY']
      ? undefined
      : () => openWebkit(WEBKIT),
}

const port = () => 40_000 + Math.floor(Math.random() * 20_000)

async function openFirefox(path: string): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'checkstand-firefox-'))
  const preferences = ['"dom.disable_open_during_load", false', '"dom.popup_maximum", 100']
  writeFileSync(
    join(profile, 'user.js'),
    preferences.map((each) => `user_pref(${each})\n`).join(''),
  )
  const at = port()
  const child = spawn(path, ['--headless', '--profile', profile, `--remote-debugging-port=${at}`], {
    stdio: 'ignore',
  })
  const socket = await eventually(() => connect(`ws://127.0.0.1:${at}/session`))
  let count = 0
  const answers = new Map<number, (message: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number }
    if (message.id !== undefined) answers.get(message.id)?.(message)
  })
  const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
    count += 1
    const id = count
    const answered = new Promise<Record<string, unknown>>((resolve) => answers.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { result, error, message } = await answered
    if (error !== undefined) throw new Error(`${method}: ${String(message)}`)
    return result as Record<string, unknown>
  }
  await send('session.new', { capabilities: {} })
  const tree = await send('browsingContext.getTree', {})
  const [{ context }] = tree['contexts'] as [{ context: string }]
  return {
    goto: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    run: async <Result>(body: string) => {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (async () => { ${body} })()))()`,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return JSON.parse((result as { value?: string }).value ?? 'null') as Result
    },
    close: async () => {
      socket.close()
      await end(child)
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('error', () => reject(new Error(`${url} does not answer`)))
  })
}

async function openWebkit(binary: string): Promise<OtherBrowser> {
  const at = port()
  const child = spawn(WEBKIT_DRIVER, [`--port=${at}`], {
    stdio: 'ignore',
    // It shows our own pages alone, and its sandbox does not start within a container.
    env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
  })
  const call = async (method: string, route: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${at}${route}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${route}: ${value.error} ${value.message}`)
    return value
  }
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const { sessionId } = (await eventually(() => call('POST', '/session', { capabilities }))) as {
    sessionId: string
  }
  const session = `/session/${sessionId}`
  return {
    goto: async (url) => {
      await call('POST', `${session}/url`, { url })
    },
    run: async <Result>(body: string) => {
      const script = `const done = arguments[arguments.length - 1];
        (async () => { ${body} })().then((value) => done(JSON.stringify(value ?? null)),
          (error) => done(JSON.stringify({ error: String(error) })))`
      const text = await call('POST', `${session}/execute/async`, { script, args: [] })
      return JSON.parse(text as string) as Result
    },
    close: async () => {
      await call('DELETE', session).catch(() => {})
      await end(child)
    },
  }
}

/** Tries for half a minute, while a browser starts. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= 60) throw error
      await wait(500)
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}
