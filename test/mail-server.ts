import type { Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { createMailDeliverer } from '../server/mail/deliver.ts'
import { createSmtp, type SmtpOptions } from '../server/mail/smtp.ts'
import { parseSmtpUrl } from '../server/smtp-url.ts'

/** A mail that the server accepted. */
export interface ReceivedMail extends Email {
  envelope: { from: string; to: string[] }
  raw: string
  header: (name: string) => string | undefined
}

export interface MailServer {
  port: number
  /** Accepted mails, oldest first. */
  received: ReceivedMail[]
  /** How many connections were made. */
  connections: () => number
  /** Ends all connections without a word. */
  hangUp: () => void
}

/** Returns an error with the reply code of a refusal. */
export function reply(responseCode: number, text = 'refused by the test'): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** Starts a mail server in this process, until the test ends. `options` make it refuse or fail. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const { close, ...server } = await openMailServer(options)
  atEnd(close)
  return server
}

/**
 * Opens a mail server in this process, which the caller closes. `beforeReply` runs between the acceptance
 * of a mail and the reply; when it resolves with an error, that is the reply.
 */
export async function openMailServer(
  options: SMTPServerOptions = {},
  beforeReply: () => Promise<Error | undefined> = async () => undefined,
): Promise<MailServer & { close: () => Promise<void> }> {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 1,
    // Without a certificate of its own, it offers no encryption.
    ...(options.cert === undefined && { hideSTARTTLS: true }),
    onConnect(_session, accept) {
      connections += 1
      accept()
    },
    onData(stream, { envelope }, accept) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void parse(Buffer.concat(chunks).toString(), {
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
        }).then(async (mail) => {
          received.push(mail)
          accept(await beforeReply())
        })
      })
    },
    ...options,
  })
  // A client that ends a connection in the middle is part of some tests.
  server.on('error', () => {})
  const listening = await new Promise<ReturnType<SMTPServer['listen']>>((resolve) => {
    const bound = server.listen(0, '127.0.0.1', () => resolve(bound))
  })
  const open = new Set<Socket>()
  listening.on('connection', (socket: Socket) => open.add(socket))
  const hangUp = () => open.forEach((socket) => socket.destroy())
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const address = listening.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, received, connections: () => connections, hangUp, close }
}

async function parse(raw: string, envelope: ReceivedMail['envelope']): Promise<ReceivedMail> {
  const email = await PostalMime.parse(raw)
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value
  return { ...email, envelope, raw, header }
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
