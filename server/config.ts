import { z } from 'zod'
import { isNetwork } from './outbound/networks.ts'

/**
 * The settings of one server, read from the environment. This is the only reader of
 * `process.env`; everything else is handed the result.
 */
const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4242),
  HOST: z.string().default('127.0.0.1'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.string().default('file:./checkstand-data/checkstand.db'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Seconds that a checkout session lives: five minutes to a day. */
  CHECKOUT_TTL: z.coerce.number().int().min(300).max(86_400).default(3600),
  CHECKSTAND_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]{8,}$/, 'must be at least 8 visible characters without a colon')
    .optional(),
  CHECKSTAND_ADMIN_EMAIL: z.email().optional(),
  CHECKSTAND_ADMIN_PASSWORD: z.string().min(8).optional(),
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
  /** Kills the process at a named point of a payment; for the crash tests only. */
  CHECKSTAND_FAILPOINT: z.string().optional(),
})

export interface Config {
  port: number
  host: string
  /** Without a trailing slash. Every URL we write starts with it; the Host header is never used. */
  baseUrl: string
  databaseUrl: string
  logLevel: string
  checkoutTtlMs: number
  secretKey: string | undefined
  admin: { email: string; password: string } | undefined
  demo: boolean | undefined
  sandboxSettleMs: number
  processorTimeoutMs: number
  oauthRefreshDays: number
  /** CIDRs. */
  outboundAllow: string[]
  failpoint: string | undefined
}

/**
 * Reads the settings, or throws an Error whose message names each variable that is wrong.
 * Empty variables count as unset, because that is how compose files leave them.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
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
    baseUrl: (values.BASE_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    databaseUrl: values.DATABASE_URL,
    logLevel: values.LOG_LEVEL,
    checkoutTtlMs: values.CHECKOUT_TTL * 1000,
    secretKey: values.CHECKSTAND_SECRET_KEY,
    admin:
      values.CHECKSTAND_ADMIN_EMAIL && values.CHECKSTAND_ADMIN_PASSWORD
        ? { email: values.CHECKSTAND_ADMIN_EMAIL, password: values.CHECKSTAND_ADMIN_PASSWORD }
        : undefined,
    demo: values.CHECKSTAND_DEMO === undefined ? undefined : values.CHECKSTAND_DEMO === '1',
    sandboxSettleMs: values.SANDBOX_SETTLE_MS,
    processorTimeoutMs: values.PROCESSOR_TIMEOUT_MS,
    oauthRefreshDays: values.OAUTH_REFRESH_DAYS,
    outboundAllow: values.OUTBOUND_ALLOW,
    failpoint: values.CHECKSTAND_FAILPOINT,
  }
}
