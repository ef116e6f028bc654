import type { SMTPServerOptions } from 'smtp-server'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { type MailServer, openMailServer } from './smtp-server.ts'
import { createMailDeliverer } from '../server/mail/deliver.ts'
import { createSmtp, type SmtpOptions } from '../server/mail/smtp.ts'
import { parseSmtpUrl } from '../server/smtp-url.ts'

export { reply, type ReceivedMail } from './smtp-server.ts'

/** Starts a mail server in this process, until the test ends. `options` make it refuse or fail. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await openMailServer(options)
  atEnd(server.close)
  return server
}

/** Sends all due mail of an app to a mail server, once. Returns the number of tries. */
export async function sendMail(
  { checkstand: { deps } }: Pick<TestApp, 'checkstand'>,
  { port }: { port: number },
  { url = `smtp://127.0.0.1:${port}`, ...options }: Partial<SmtpOptions> & { url?: string } = {},
): Promise<number> {
  const server = parseSmtpUrl(url)
  if (!server) throw new Error(`${url} is no address of a mail server`)
  const send = createSmtp(server, { timeoutMs: 5000, ...options })
  const deliverer = createMailDeliverer(deps, send)
  const started = await deliverer.start()
  await deliverer.drain()
  return started
}

/** Returns all mails in the outbox of an app, oldest first. */
export function listMails({ checkstand: { deps } }: Pick<TestApp, 'checkstand'>) {
  return deps.db.selectFrom('mails').selectAll().orderBy('id').execute()
}

/** Empties the outbox, so that a test sees its own mails only. */
export async function forgetMails({ checkstand: { deps } }: Pick<TestApp, 'checkstand'>) {
  await deps.db.deleteFrom('mails').execute()
}
