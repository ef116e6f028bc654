import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpClient } from '../test/client.ts'
import { type Program, startProgram, until } from '../test/program.ts'
import { type MailServer, openMailServer, type ReceivedMail } from '../test/smtp-server.ts'
import { type Api, test as base } from './fixtures.ts'

/** A server of its own that sends mail, and the mail server that takes it. */
export interface MailShop {
  program: Program
  server: MailServer
  /** Waits for the mail to an address whose subject begins so. */
  mailTo: (address: string, subject: string) => Promise<ReceivedMail>
}

async function startMailShop(): Promise<MailShop & { close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'checkstand-mail-'))
  const server = await openMailServer()
  const program = await startProgram(`file:${join(folder, 'checkstand.db')}`, {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'pay@shop.example',
  })
  return {
    program,
    server,
    mailTo: (address, subject) =>
      until(`the mail “${subject}” to ${address}`, async () =>
        server.received.find(
          ({ envelope, subject: of }) => envelope.to.includes(address) && of?.startsWith(subject),
        ),
      ),
    async close() {
      program.process.kill()
      await program.ended
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tests on a server that sends mail. */
export const test = base.extend<object, { mail: MailShop }>({
  mail: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs off this pattern
    async ({}, use) => {
      const { close, ...shop } = await startMailShop()
      await use(shop)
      await close()
    },
    { scope: 'worker' },
  ],

  api: [
    async ({ mail }, use) => {
      const client = createHttpClient(mail.program.base)
      await use(async (path, call) => {
        const { status, text, json } = await client.api(path, call)
        if (status >= 400) throw new Error(text)
        return json
      })
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ mail }, use) => use(mail.program.base),
})

/** Returns the address of the button of a mail. */
export function linkIn({ text }: ReceivedMail, label: string): string {
  const [, url] = new RegExp(`^${label}:\\n(\\S+)$`, 'm').exec(text ?? '') ?? []
  if (url === undefined) throw new Error(`The mail has no “${label}”: ${text}`)
  return url
}

/** Moves the clock of the instance, and waits until everything due on the way is done. */
export async function moveClock(api: Api, now: number): Promise<void> {
  await api('/sandbox/clock', { body: { clock: { now: new Date(now).toISOString() } } })
  await until('the clock to arrive', async () => {
    return (await api('/sandbox/clock')).clock.target === null
  })
}
