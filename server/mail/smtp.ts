import type { Transporter } from 'nodemailer'
import type { Mailbox, SmtpServer } from '../smtp-url.ts'
import type { MailError } from '../db/tables/mails.ts'

/** A mail to one recipient, as it is given to the mail server. */
export interface MailMessage {
  /** Stable, so that a mail that arrived twice can be recognized. */
  messageId: string
  from: Mailbox
  to: string
  subject: string
  text: string
  html: string
  language: string
  /** Where the recipient refuses further mails of this kind. */
  unsubscribe?: string
}

/** Why the mail server did not accept a mail. `permanent`: it never will. */
export interface SmtpRefusal {
  error: MailError
  /** The reply code; null without a reply. */
  code: number | null
  permanent: boolean
}

/** Gives a mail to the mail server. Returns null when it was accepted. */
export type SendMail = (message: MailMessage) => Promise<SmtpRefusal | null>

export interface SmtpOptions {
  /** Milliseconds for a whole dialogue with the mail server. */
  timeoutMs: number
  /** Certificate of a private authority, besides the known ones. */
  ca?: string
}

/** Shorter than a lease, so that a mail is not sent a second time while the first try goes on. */
export const SMTP_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 15_000

/**
 * Returns the function that sends mail through an SMTP server, one connection for each mail: a
 * connection that ends in the middle of a mail concerns that one alone. The library is loaded with
 * the first mail.
 */
export function createSmtp(
  server: SmtpServer,
  { timeoutMs, ca }: SmtpOptions = { timeoutMs: SMTP_TIMEOUT_MS },
): SendMail {
  let transporter: Promise<Transporter> | undefined
  return async ({ messageId, from, to, subject, text, html, language, unsubscribe }) => {
    transporter ??= loadTransporter(server, Math.min(timeoutMs, CONNECT_TIMEOUT_MS), ca)
    const { sendMail } = bind(await transporter)
    try {
      await sendMail({
        messageId,
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        html,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'Content-Language': language,
          ...(unsubscribe !== undefined && unsubscribeHeaders(unsubscribe)),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(timeoutMs),
      })
      return null
    } catch (error) {
      return refusalOf(error)
    }
  }
}

/** RFC 2369, and RFC 8058 for one click, which needs https. */
function unsubscribeHeaders(url: string): Record<string, string> {
  const oneClick = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  return { 'List-Unsubscribe': `<${url}>`, ...(url.startsWith('https:') && oneClick) }
}

const bind = (transporter: Transporter) => ({ sendMail: transporter.sendMail.bind(transporter) })

async function loadTransporter(
  { host, port, secure, requireTLS, auth }: SmtpServer,
  timeoutMs: number,
  ca: string | undefined,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure,
    requireTLS,
    ...(auth && { auth }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
}

/** Errors of nodemailer that name the place of a failure by themselves. */
const CONNECTION_ERRORS: Readonly<Record<string, MailError>> = {
  EABORT: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  ETLS: 'TLS_FAILED',
  EAUTH: 'LOGIN_REFUSED',
  ENOAUTH: 'LOGIN_REFUSED',
}

/** The command that a reply refuses. */
const REFUSED: Readonly<Record<string, MailError>> = {
  'MAIL FROM': 'SENDER_REFUSED',
  'RCPT TO': 'RECIPIENT_REFUSED',
  DATA: 'MESSAGE_REFUSED',
}

/**
 * Only a refusal of the recipient or of the content concerns this mail alone. One of our login, our
 * certificate or our sender is a setting that the operator corrects, so those mails are tried again.
 */
function refusalOf(thrown: unknown): SmtpRefusal {
  const {
    code = '',
    command = '',
    responseCode,
  } = thrown as {
    code?: string
    command?: string
    responseCode?: number
  }
  const reply = responseCode ?? null
  const known = CONNECTION_ERRORS[code] ?? (isTlsError(thrown) ? 'TLS_FAILED' : undefined)
  if (known) return { error: known, code: reply, permanent: false }
  const refused = REFUSED[command]
  if (refused === undefined || !['EENVELOPE', 'EMESSAGE'].includes(code)) {
    return { error: 'CONNECTION_FAILED', code: reply, permanent: false }
  }
  // Without a reply, our own library found the address or the content to be impossible.
  if (reply !== null && reply < 500) return { error: 'DEFERRED', code: reply, permanent: false }
  return { error: refused, code: reply, permanent: refused !== 'SENDER_REFUSED' }
}

/** Node reports a refused certificate as an error of the socket. */
function isTlsError(thrown: unknown): boolean {
  return thrown instanceof Error && /certificate|SSL|TLS|altnames/i.test(thrown.message)
}
