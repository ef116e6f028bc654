import { domainToASCII } from 'node:url'

/** The mail server that takes our mail. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the start (`smtps:`). */
  secure: boolean
  /** STARTTLS is required: a connection that leaves this machine is never unencrypted. */
  requireTLS: boolean
  auth: { user: string; pass: string } | undefined
}

/** An address with the name that mail programs show beside it. */
export interface Mailbox {
  name: string
  address: string
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Parses `smtp://user:password@host:587` or `smtps://…`. Returns undefined for anything else. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const usual = PORTS[protocol]
  if (usual === undefined || hostname === '' || port === '0') return undefined
  // Options in the address could switch off the verification of certificates.
  if (!['', '/'].includes(pathname) || search !== '' || hash !== '') return undefined
  if ((username === '') !== (password === '')) return undefined
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    secure,
    requireTLS: !secure && !LOOPBACK.includes(hostname),
    auth:
      username === ''
        ? undefined
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  }
}

/** Parses `shop@example.com` or `Corner Shop <shop@example.com>`. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
  const address = bracketed ?? text
  if (!isMailAddress(address)) return undefined
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

/** Bytes of an address on the wire, RFC 5321. */
const ADDRESS_MAX = 254
/** Neither quotes nor anything that a header or a command of SMTP could read as more than an address. */
const LOCAL_PART = /^[^\p{C}\p{Z}"(),:;<>@[\\\]]{1,64}$/u
const LABEL = /^[a-z0-9-]{1,63}$/i

/** Returns whether a text is the address of one mailbox. Letters of any script are allowed. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 0 || Buffer.byteLength(text) > ADDRESS_MAX) return false
  const labels = domainToASCII(text.slice(at + 1)).split('.')
  return (
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label))
  )
}
