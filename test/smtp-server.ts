import type { Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

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

interface OpenMailServer extends MailServer {
  close: () => Promise<void>
}

/** Returns an error with the reply code of a refusal. */
export function reply(responseCode: number, text = 'refused by the test'): Error {
  return Object.assign(new Error(text), { responseCode })
}

/**
 * Opens a mail server in this process. `options` make it refuse or fail. `beforeReply` runs between the
 * acceptance of a mail and the reply; when it resolves with an error, that is the reply.
 */
export async function openMailServer(
  options: SMTPServerOptions = {},
  beforeReply: () => Promise<Error | undefined> = async () => undefined,
): Promise<OpenMailServer> {
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
