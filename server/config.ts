import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { email } from '../shared/schemas/common.ts'
import { parseEncryptionKeys } from './encryption.ts'
import { SECRET_KEY_RULE, isStrongSecretKey } from './secret-key.ts'
import { readFailpoint } from './failpoint.ts'
import { parseMailbox, parseSmtpUrl } from './smtp-url.ts'

/** Keys and card numbers go to these addresses, so plain http is for this machine only. */
const serviceUrl = z.string().refine(isSecureUrl, {
  error: 'must begin with https://, or with http:// on a loopback address',
})
const serviceOrigin = serviceUrl.refine(isOrigin, {
  error: 'must be like https://api.processor.example: no path, query, user or password',
})

/** The settings of a server, read from the environment. Nothing else reads `process.env`. */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4242),
  HOST: z.string().default('127.0.0.1'),
  BASE_URL: z
    .string()
    .refine(isOrigin, {
      error: 'must be like https://pay.shop.example: no path, query, user or password',
    })
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Where the console, sign-in and consent are, if not at BASE_URL. */
  CONSOLE_URL: z
    .string()
    .refine(isOrigin, {
      error: 'must be like https://console.shop.example: no path, query, user or password',
    })
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Minutes without a request after which a user is signed out. */
  CONSOLE_IDLE_MINUTES: z.coerce.number().int().min(5).max(720).default(120),
  /** Whether users need a second factor: never, for live instances, or always. */
  REQUIRE_MFA: z.enum(['off', 'live', 'always']).default('off'),
  DATABASE_URL: z.string().default('file:./checkstand-data/checkstand.db'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Lifetime of a checkout session in seconds. */
  CHECKOUT_TTL: z.coerce.number().int().min(300).max(86_400).default(3600),
  /** Days for which an ended checkout session is kept. */
  CHECKOUT_RETENTION_DAYS: z.coerce.number().int().min(7).max(3650).default(30),
  /** Days for which a checkout session that paid is kept with its wording. */
  WORDING_KEEP_DAYS: z.coerce.number().int().min(7).max(3650).default(400),
  /** Days for which an entry of the audit log is kept. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(30).max(3650).default(400),
  CHECKSTAND_SECRET_KEY: z
    .string()
    .refine(isStrongSecretKey, { error: SECRET_KEY_RULE })
    .optional(),
  CHECKSTAND_ADMIN_EMAIL: email.pipe(z.email()).optional(),
  /** Used only when the user is created. */
  CHECKSTAND_ADMIN_PASSWORD: z.string().optional(),
  /** Where the secrets of the first start are written if standard output is not a terminal. */
  CHECKSTAND_FIRST_START_FILE: z.string().optional(),
  CHECKSTAND_DEMO: z.enum(['0', '1']).optional(),
  /** Milliseconds until a pending sandbox method settles. */
  SANDBOX_SETTLE_MS: z.coerce.number().int().min(0).default(2000),
  /** Milliseconds until a processor call counts as unanswered. */
  PROCESSOR_TIMEOUT_MS: z.coerce.number().int().min(100).max(28_000).default(25_000),
  /** 32 bytes each in base64; the first encrypts the secrets of processors, all decrypt. */
  CHECKSTAND_ENCRYPTION_KEY: z
    .string()
    .transform(parseEncryptionKeys)
    .refine((keys) => keys !== undefined, {
      error: 'must be keys of 32 bytes in base64, separated by commas: openssl rand -base64 32',
    })
    .optional(),
  /** Where Stripe's API is; another address serves tests. */
  STRIPE_API_URL: serviceOrigin.default('https://api.stripe.com'),
  /** The script of Stripe's card fields. */
  STRIPE_JS_URL: serviceUrl.default('https://js.stripe.com/dahlia/stripe.js'),
  /** The mail server. Without it no mail is sent. */
  SMTP_URL: z
    .string()
    .transform(parseSmtpUrl)
    .refine((server) => server !== undefined, {
      error:
        'must be like smtp://user:password@mail.example:587 or smtps://user:password@mail.example',
    })
    .optional(),
  /** The sender of all mail. */
  MAIL_FROM: z
    .string()
    .transform(parseMailbox)
    .refine((sender) => sender !== undefined, {
      error: 'must be an address such as pay@shop.example, or Shop <pay@shop.example>',
    })
    .optional(),
  /** Days until the grant of a platform expires. */
  OAUTH_REFRESH_DAYS: z.coerce.number().int().min(1).max(3650).default(365),
  /** Networks that webhooks may reach besides the public internet: 10.1.0.0/16,fd12::/16 */
  OUTBOUND_ALLOW: z
    .string()
    .transform((list) => list.split(',').map((network) => network.trim()))
    .refine((networks) => networks.every(isNetwork), {
      error: 'must be networks such as 10.1.0.0/16, separated by commas',
    })
    .default([]),
  /**
   * Number or networks of the trusted proxies. `none` states that no proxy adds headers; it trusts
   * none.
   */
  TRUST_PROXY: z
    .string()
    .transform(readTrust)
    .refine((trust) => trust !== null, {
      error: 'must be a number of proxies from 1 to 10, networks such as 10.1.0.0/16, or none',
    })
    .optional(),
  /** Accepted host names besides the one in BASE_URL. */
  ALLOWED_HOSTS: z
    .string()
    .transform((list) => list.split(',').map((host) => host.trim().toLowerCase()))
    .refine(
      (hosts) => hosts.every((host) => /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(host)),
      {
        error: 'must be names such as pay.shop.example, separated by commas',
      },
    )
    .optional(),
  /** Payer-facing requests per minute of one address; 0 is no limit. */
  PAYER_RATE: z.coerce.number().int().min(0).max(1_000_000).default(600),
  /**
   * API requests per minute of one key, user or grant; 0 is no limit. A hundred a second is more
   * than a busy shop sends and less than one server handles.
   */
  API_RATE: z.coerce.number().int().min(0).max(1_000_000).default(6000),
  /** Minimum milliseconds between the opening of a checkout session and its first submit. */
  PAYER_PAUSE_MS: z.coerce.number().int().min(0).max(60_000).default(1000),
  /** Whether the server is ready only after it has warmed up. */
  WARM_UP: z.enum(['0', '1']).default('1'),
  /** Whether declined payments are counted and limited. */
  CARD_TESTING_GUARD: z.enum(['0', '1']).default('1'),
  /** Requests in progress in one process, beyond which others get 503; 0 is no limit. */
  REQUESTS_MAX: z.coerce.number().int().min(0).max(1_000_000).default(2000),
  /** Megabytes that must be free on the disk of a SQLite file; 0 disables the check. */
  DISK_FREE_MB: z.coerce.number().int().min(0).optional(),
  /** Port of the Prometheus endpoint `/metrics`, which is off without it. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Address of `/metrics`, which has no authentication. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Kills the process at a named point, such as `attempt-stored:kill`, in crash tests. */
  CHECKSTAND_FAILPOINT: z
    .string()
    .transform(readFailpoint)
    .refine((point) => point !== null, {
      error: 'must be a point of server/failpoint.ts and what happens there: attempt-stored:kill',
    })
    .optional(),
})

/**
 * The page is served at the root of a host, and every other part of a URL would appear in every
 * link.
 */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { href, origin, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

/**
 * Trusted proxies: their number, counted from this server, or their networks (CIDRs). 0 trusts
 * none.
 */
export type TrustedProxies = { hops: number } | { networks: string[] }

function readTrust(text: string): TrustedProxies | null {
  if (text.toLowerCase() === 'none') return { hops: 0 }
  if (/^([1-9]|10)$/.test(text)) return { hops: Number(text) }
  const networks = text.split(',').map((network) => network.trim())
  return networks.every(isNetwork) ? { networks } : null
}

export type Config = ReturnType<typeof readConfig>

function withoutBlanks(env: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const text = value?.trim() ?? ''
    if (text === '') return []
    return [[name, name === 'CHECKSTAND_ADMIN_PASSWORD' ? (value as string) : text]]
  })
  return Object.fromEntries(set)
}

/**
 * Reads the settings. Throws an Error that names each invalid variable. Blank variables count as
 * unset, because compose files produce them; values are trimmed, except passwords.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const parsed = environment.safeParse(withoutBlanks(env))
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`These settings are wrong:\n${lines.join('\n')}`)
  }
  const values = parsed.data
  if (values.PORT === 0 && values.BASE_URL === undefined) {
    throw new Error('PORT=0 lets the system choose the port, so BASE_URL must be set')
  }
  if (
    (values.CHECKSTAND_ADMIN_EMAIL === undefined) !==
    (values.CHECKSTAND_ADMIN_PASSWORD === undefined)
  ) {
    throw new Error('CHECKSTAND_ADMIN_EMAIL and CHECKSTAND_ADMIN_PASSWORD must be set together')
  }
  if ((values.SMTP_URL === undefined) !== (values.MAIL_FROM === undefined)) {
    throw new Error('SMTP_URL and MAIL_FROM must be set together')
  }
  if (values.BASE_URL?.startsWith('https:') && values.CONSOLE_URL?.startsWith('http:')) {
    throw new Error('CONSOLE_URL must begin with https:// like BASE_URL')
  }
  const baseUrl = values.BASE_URL ?? `http://localhost:${values.PORT}`
  return {
    port: values.PORT,
    host: values.HOST,
    /** An origin with which all our URLs start; the header Host is never used. */
    baseUrl,
    /** The origin of the console, sign-in and consent. */
    consoleUrl: values.CONSOLE_URL ?? baseUrl,
    consoleIdleMs: values.CONSOLE_IDLE_MINUTES * 60_000,
    requireMfa: values.REQUIRE_MFA,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    checkoutTtlMs: values.CHECKOUT_TTL * 1000,
    checkoutRetentionMs: values.CHECKOUT_RETENTION_DAYS * 86_400_000,
    wordingKeepMs: values.WORDING_KEEP_DAYS * 86_400_000,
    auditRetentionMs: values.AUDIT_RETENTION_DAYS * 86_400_000,
    secretKey: values.CHECKSTAND_SECRET_KEY,
    admin:
      values.CHECKSTAND_ADMIN_EMAIL && values.CHECKSTAND_ADMIN_PASSWORD
        ? { email: values.CHECKSTAND_ADMIN_EMAIL, password: values.CHECKSTAND_ADMIN_PASSWORD }
        : undefined,
    /** A path; undefined: beside the SQLite file. */
    firstStartFile: values.CHECKSTAND_FIRST_START_FILE,
    demo: values.CHECKSTAND_DEMO === undefined ? undefined : values.CHECKSTAND_DEMO === '1',
    sandboxSettleMs: values.SANDBOX_SETTLE_MS,
    processorTimeoutMs: values.PROCESSOR_TIMEOUT_MS,
    /** Undefined: a key beside the SQLite file, or no secrets can be stored. */
    encryptionKeys: values.CHECKSTAND_ENCRYPTION_KEY,
    /** An origin. */
    stripeApiUrl: new URL(values.STRIPE_API_URL).origin,
    stripeScriptUrl: values.STRIPE_JS_URL,
    /** Undefined: no mail is sent. */
    mail:
      values.SMTP_URL && values.MAIL_FROM
        ? { server: values.SMTP_URL, from: values.MAIL_FROM }
        : undefined,
    oauthRefreshDays: values.OAUTH_REFRESH_DAYS,
    outboundAllow: values.OUTBOUND_ALLOW,
    /** Undefined: no proxy is trusted, and whether there is one is unknown. */
    trustProxy: values.TRUST_PROXY ?? undefined,
    /** In lower case, with the port unless it is the default; undefined: any. */
    allowedHosts: values.ALLOWED_HOSTS,
    payerRate: values.PAYER_RATE,
    apiRate: values.API_RATE,
    payerPauseMs: values.PAYER_PAUSE_MS,
    warmUp: values.WARM_UP === '1',
    cardTestingGuard: values.CARD_TESTING_GUARD === '1',
    requestsMax: values.REQUESTS_MAX,
    /** Bytes; undefined: depends on the size of the disk. */
    diskFreeMin: values.DISK_FREE_MB === undefined ? undefined : values.DISK_FREE_MB * 1_000_000,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    failpoint: values.CHECKSTAND_FAILPOINT ?? undefined,
  }
}

/** Returns whether a text is a network such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)
}
