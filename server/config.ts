import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { email } from '../shared/schemas/common.ts'
import { SECRET_KEY_RULE, isStrongSecretKey } from './secret-key.ts'
import { type FailpointName, readFailpoint } from './failpoint.ts'

/**
 * The settings of one server, read from the environment. This is the only reader of
 * `process.env`; everything else is handed the result.
 */
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
  DATABASE_URL: z.string().default('file:./checkstand-data/checkstand.db'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Seconds that a checkout session lives: five minutes to a day. */
  CHECKOUT_TTL: z.coerce.number().int().min(300).max(86_400).default(3600),
  /** Days that a checkout session is kept after it has ended. */
  CHECKOUT_RETENTION_DAYS: z.coerce.number().int().min(7).max(3650).default(30),
  CHECKSTAND_SECRET_KEY: z
    .string()
    .refine(isStrongSecretKey, { error: SECRET_KEY_RULE })
    .optional(),
  CHECKSTAND_ADMIN_EMAIL: email.pipe(z.email()).optional(),
  /** Judged when a user is made with it: one who has it already keeps it. */
  CHECKSTAND_ADMIN_PASSWORD: z.string().optional(),
  /** Where the secrets of a first start are written when standard output is no terminal. */
  CHECKSTAND_FIRST_START_FILE: z.string().optional(),
  CHECKSTAND_DEMO: z.enum(['0', '1']).optional(),
  /** Milliseconds until a pending sandbox method settles. */
  SANDBOX_SETTLE_MS: z.coerce.number().int().min(0).default(2000),
  /** Milliseconds that a processor may take before its answer counts as lost. */
  PROCESSOR_TIMEOUT_MS: z.coerce.number().int().min(100).max(28_000).default(25_000),
  /** Days that a merchant's approval of a platform lasts, unless it is given back. */
  OAUTH_REFRESH_DAYS: z.coerce.number().int().min(1).max(3650).default(365),
  /** Networks that merchants' webhooks may reach besides the public internet: 10.1.0.0/16,fd12::/16 */
  OUTBOUND_ALLOW: z
    .string()
    .transform((list) => list.split(',').map((network) => network.trim()))
    .refine((networks) => networks.every(isNetwork), {
      error: 'must be networks such as 10.1.0.0/16, separated by commas',
    })
    .default([]),
  /**
   * How many proxies stand before this server, or their networks; their headers are believed. `none`
   * says that no proxy adds a header, and is the same as not believing any.
   */
  TRUST_PROXY: z
    .string()
    .transform(readTrust)
    .refine((trust) => trust !== null, {
      error: 'must be a number of proxies from 1 to 10, networks such as 10.1.0.0/16, or none',
    })
    .optional(),
  /** Names under which requests may ask for this server, besides the one in BASE_URL. */
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
  /** Requests a minute that one address may send to the payers' part; 0 is no limit. */
  PAYER_RATE: z.coerce.number().int().min(0).max(1_000_000).default(600),
  /**
   * Requests a minute that one key, user or platform's grant may send; 0 is no limit. A hundred a
   * second is more than a busy shop sends, and less than one server answers.
   */
  API_RATE: z.coerce.number().int().min(0).max(1_000_000).default(6000),
  /** Milliseconds between the beginning of a checkout session and its first submit. */
  PAYER_PAUSE_MS: z.coerce.number().int().min(0).max(60_000).default(1000),
  /** Whether declined payments are counted, and slowed down and refused when they are many. */
  CARD_TESTING_GUARD: z.enum(['0', '1']).default('1'),
  /** Requests under way at once in one process, beyond which the next is answered 503; 0 is no limit. */
  REQUESTS_MAX: z.coerce.number().int().min(0).max(1_000_000).default(2000),
  /** Megabytes that must be free on the disk of a SQLite file; 0 watches nothing. */
  DISK_FREE_MB: z.coerce.number().int().min(0).optional(),
  /** Where `/metrics` is served, in the form of Prometheus; nowhere when it is not set. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** The address on which `/metrics` is served: without credentials, so only inside unless told. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Kills the process at a named point, `attempt-stored:kill`; for the crash tests only. */
  CHECKSTAND_FAILPOINT: z
    .string()
    .transform(readFailpoint)
    .refine((point) => point !== null, {
      error: 'must be a point of server/failpoint.ts and what happens there: attempt-stored:kill',
    })
    .optional(),
})

/**
 * The page and what it calls are at the root of a host, so nothing could be paid below a path; and
 * what else an address can hold would be in every link that a payer gets.
 */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { href, origin, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

/**
 * Which proxies are believed about whom they speak for: so many, counted from this server, or
 * those in these networks (CIDRs). 0 believes none.
 */
export type TrustedProxies = { hops: number } | { networks: string[] }

function readTrust(text: string): TrustedProxies | null {
  if (text.toLowerCase() === 'none') return { hops: 0 }
  if (/^([1-9]|10)$/.test(text)) return { hops: Number(text) }
  const networks = text.split(',').map((network) => network.trim())
  return networks.every(isNetwork) ? { networks } : null
}

export interface Config {
  port: number
  host: string
  /** An origin. Every URL we write starts with it; the Host header is never used. */
  baseUrl: string
  databaseUrl: string
  logLevel: string
  checkoutTtlMs: number
  checkoutRetentionMs: number
  secretKey: string | undefined
  admin: { email: string; password: string } | undefined
  /** A path; undefined: beside the SQLite file, or where it would be. */
  firstStartFile: string | undefined
  demo: boolean | undefined
  sandboxSettleMs: number
  processorTimeoutMs: number
  oauthRefreshDays: number
  /** CIDRs. */
  outboundAllow: string[]
  /** Undefined: no proxy is believed, and whether there is one is not known. */
  trustProxy: TrustedProxies | undefined
  /** In small letters, the port where it is not the scheme's own; undefined: any. */
  allowedHosts: string[] | undefined
  /** A minute, 0 is no limit. */
  payerRate: number
  apiRate: number
  payerPauseMs: number
  cardTestingGuard: boolean
  /** Under way at once; 0 is no limit. */
  requestsMax: number
  /** Bytes; undefined: what suits the disk. */
  diskFreeMin: number | undefined
  metricsPort: number | undefined
  metricsHost: string
  failpoint: FailpointName | undefined
}

function withoutBlanks(env: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const text = value?.trim() ?? ''
    if (text === '') return []
    return [[name, name === 'CHECKSTAND_ADMIN_PASSWORD' ? (value as string) : text]]
  })
  return Object.fromEntries(set)
}

/**
 * Reads the settings, or throws an Error whose message names each variable that is wrong.
 * Blank variables count as unset, because that is how compose files leave them, and none but a
 * password begins or ends with white space, which is what files of settings add by mistake.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
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
  return {
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}`,
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    checkoutTtlMs: values.CHECKOUT_TTL * 1000,
    checkoutRetentionMs: values.CHECKOUT_RETENTION_DAYS * 86_400_000,
    secretKey: values.CHECKSTAND_SECRET_KEY,
    admin:
      values.CHECKSTAND_ADMIN_EMAIL && values.CHECKSTAND_ADMIN_PASSWORD
        ? { email: values.CHECKSTAND_ADMIN_EMAIL, password: values.CHECKSTAND_ADMIN_PASSWORD }
        : undefined,
    firstStartFile: values.CHECKSTAND_FIRST_START_FILE,
    demo: values.CHECKSTAND_DEMO === undefined ? undefined : values.CHECKSTAND_DEMO === '1',
    sandboxSettleMs: values.SANDBOX_SETTLE_MS,
    processorTimeoutMs: values.PROCESSOR_TIMEOUT_MS,
    oauthRefreshDays: values.OAUTH_REFRESH_DAYS,
    outboundAllow: values.OUTBOUND_ALLOW,
    trustProxy: values.TRUST_PROXY ?? undefined,
    allowedHosts: values.ALLOWED_HOSTS,
    payerRate: values.PAYER_RATE,
    apiRate: values.API_RATE,
    payerPauseMs: values.PAYER_PAUSE_MS,
    cardTestingGuard: values.CARD_TESTING_GUARD === '1',
    requestsMax: values.REQUESTS_MAX,
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
