import { describe, expect, it } from 'vitest'
import { isNetwork, readConfig } from './config.ts'
import { parseEncryptionKeys } from './encryption.ts'

const DEFAULTS = {
  port: 4242,
  host: '127.0.0.1',
  baseUrl: 'http://localhost:4242',
  consoleUrl: 'http://localhost:4242',
  consoleIdleMs: 7_200_000,
  requireMfa: 'off',
  databaseUrl: 'file:./checkstand-data/checkstand.db',
  logLevel: 'info',
  checkoutTtlMs: 3_600_000,
  checkoutRetentionMs: 30 * 86_400_000,
  wordingKeepMs: 400 * 86_400_000,
  auditRetentionMs: 400 * 86_400_000,
  secretKey: undefined,
  admin: undefined,
  firstStartFile: undefined,
  demo: undefined,
  sandboxSettleMs: 2000,
  processorTimeoutMs: 25_000,
  encryptionKeys: undefined,
  stripeApiUrl: 'https://api.stripe.com',
  stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
  mail: undefined,
  oauthRefreshDays: 365,
  outboundAllow: [],
  trustProxy: undefined,
  allowedHosts: undefined,
  payerRate: 600,
  apiRate: 6000,
  payerPauseMs: 1000,
  warmUp: true,
  cardTestingGuard: true,
  requestsMax: 2000,
  diskFreeMin: undefined,
  metricsHost: '127.0.0.1',
  failpoint: undefined,
}

const NAMES = (
  'PORT HOST BASE_URL CONSOLE_URL CONSOLE_IDLE_MINUTES REQUIRE_MFA DATABASE_URL LOG_LEVEL CHECKOUT_TTL CHECKOUT_RETENTION_DAYS WORDING_KEEP_DAYS ' +
  'CHECKSTAND_SECRET_KEY ' +
  'CHECKSTAND_ADMIN_EMAIL CHECKSTAND_ADMIN_PASSWORD CHECKSTAND_DEMO SANDBOX_SETTLE_MS ' +
  'PROCESSOR_TIMEOUT_MS OAUTH_REFRESH_DAYS OUTBOUND_ALLOW TRUST_PROXY ALLOWED_HOSTS ' +
  'PAYER_RATE API_RATE PAYER_PAUSE_MS WARM_UP CARD_TESTING_GUARD REQUESTS_MAX DISK_FREE_MB ' +
  'METRICS_PORT METRICS_HOST CHECKSTAND_FIRST_START_FILE CHECKSTAND_FAILPOINT ' +
  'CHECKSTAND_ENCRYPTION_KEY STRIPE_API_URL STRIPE_JS_URL SMTP_URL MAIL_FROM'
).split(' ')

function problem(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error(`nothing is wrong with ${JSON.stringify(env)}`)
}

describe('the settings', () => {
  it('have a default for everything', () => {
    expect(readConfig({})).toEqual(DEFAULTS)
  })

  it('have no spaces around them, but for a password’s', () => {
    const { admin } = readConfig({
      CHECKSTAND_ADMIN_EMAIL: ' ada@shop.example ',
      CHECKSTAND_ADMIN_PASSWORD: ' correct horse ',
    })
    expect(admin).toEqual({ email: 'ada@shop.example', password: ' correct horse ' })
  })

  it.each(NAMES)('count an empty or blank %s as unset', (name) => {
    for (const blank of ['', ' ', '\t \n']) {
      expect(readConfig({ [name]: blank })).toEqual(DEFAULTS)
    }
  })

  it('are trimmed', () => {
    const env = { PORT: ' 8080\n', DATABASE_URL: ' file:./a.db ', LOG_LEVEL: 'debug\r' }
    expect(readConfig(env)).toMatchObject({
      port: 8080,
      databaseUrl: 'file:./a.db',
      logLevel: 'debug',
    })
  })

  it('ignore other variables', () => {
    expect(readConfig({ HOME: '/root', PORTS: 'x' })).toEqual(DEFAULTS)
  })

  it('are read from their variables', () => {
    const keys = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'))
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      BASE_URL: 'https://pay.shop.example',
      CONSOLE_URL: 'https://console.shop.example/',
      CONSOLE_IDLE_MINUTES: '30',
      REQUIRE_MFA: 'live',
      DATABASE_URL: 'postgres://db/checkstand',
      LOG_LEVEL: 'debug',
      CHECKOUT_TTL: '300',
      CHECKOUT_RETENTION_DAYS: '7',
      WORDING_KEEP_DAYS: '90',
      CHECKSTAND_SECRET_KEY: 'sk_test_4f9c21d07ab83e65c1f2970d8be4a3f6',
      CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example',
      CHECKSTAND_ADMIN_PASSWORD: 'correct horse battery',
      CHECKSTAND_FIRST_START_FILE: '/run/first-start.txt',
      CHECKSTAND_DEMO: '0',
      SANDBOX_SETTLE_MS: '0',
      PROCESSOR_TIMEOUT_MS: '100',
      CHECKSTAND_ENCRYPTION_KEY: `${keys[0]}, ${keys[1]}`,
      STRIPE_API_URL: 'http://localhost:12111',
      STRIPE_JS_URL: 'https://scripts.shop.example/stripe.js',
      OAUTH_REFRESH_DAYS: '30',
      OUTBOUND_ALLOW: '10.1.0.0/16, fd12::/16',
      TRUST_PROXY: '2',
      ALLOWED_HOSTS: 'pay.shop.example, Pay.Other.example:8443',
      PAYER_RATE: '0',
      API_RATE: '60',
      PAYER_PAUSE_MS: '0',
      WARM_UP: '0',
      CARD_TESTING_GUARD: '0',
      REQUESTS_MAX: '50',
      DISK_FREE_MB: '100',
      METRICS_HOST: '10.0.0.1',
      CHECKSTAND_FAILPOINT: 'attempt-stored:kill',
    })
    expect(config).toEqual({
      port: 8080,
      host: '0.0.0.0',
      baseUrl: 'https://pay.shop.example',
      consoleUrl: 'https://console.shop.example',
      consoleIdleMs: 1_800_000,
      requireMfa: 'live',
      databaseUrl: 'postgres://db/checkstand',
      logLevel: 'debug',
      checkoutTtlMs: 300_000,
      checkoutRetentionMs: 7 * 86_400_000,
      wordingKeepMs: 90 * 86_400_000,
      auditRetentionMs: 400 * 86_400_000,
      secretKey: 'sk_test_4f9c21d07ab83e65c1f2970d8be4a3f6',
      admin: { email: 'ada@shop.example', password: 'correct horse battery' },
      firstStartFile: '/run/first-start.txt',
      demo: false,
      sandboxSettleMs: 0,
      processorTimeoutMs: 100,
      encryptionKeys: parseEncryptionKeys(keys.join()),
      stripeApiUrl: 'http://localhost:12111',
      stripeScriptUrl: 'https://scripts.shop.example/stripe.js',
      oauthRefreshDays: 30,
      outboundAllow: ['10.1.0.0/16', 'fd12::/16'],
      trustProxy: { hops: 2 },
      allowedHosts: ['pay.shop.example', 'pay.other.example:8443'],
      payerRate: 0,
      apiRate: 60,
      payerPauseMs: 0,
      warmUp: false,
      cardTestingGuard: false,
      requestsMax: 50,
      diskFreeMin: 100_000_000,
      metricsHost: '10.0.0.1',
      failpoint: 'attempt-stored',
    })
  })

  it.each([
    ['http://shop.test/', 'http://shop.test'],
    ['https://shop.test:8443', 'https://shop.test:8443'],
    ['HTTPS://Shop.Test:443', 'https://shop.test'],
  ])('normalize the base URL %s to an origin', (url, expected) => {
    expect(readConfig({ BASE_URL: url }).baseUrl).toBe(expected)
  })

  it('accept networks as proxies', () => {
    const { trustProxy } = readConfig({ TRUST_PROXY: '10.1.0.0/16, fd12::/16' })
    expect(trustProxy).toEqual({ networks: ['10.1.0.0/16', 'fd12::/16'] })
    expect(readConfig({ TRUST_PROXY: 'none' }).trustProxy).toEqual({ hops: 0 })
  })

  it('put the console at the base URL unless it has its own, which is as secure', () => {
    expect(readConfig({ BASE_URL: 'https://pay.shop.example' }).consoleUrl).toBe(
      'https://pay.shop.example',
    )
    expect(
      problem({ BASE_URL: 'https://pay.shop.example', CONSOLE_URL: 'http://console.example' }),
    ).toContain('CONSOLE_URL must begin with https://')
  })

  it('use the port in the default base URL', () => {
    expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080')
  })
})

describe('an invalid setting', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['BASE_URL', 'shop.example'],
    ['BASE_URL', 'ftp://shop.example'],
    ['BASE_URL', 'javascript:alert(1)'],
    ['BASE_URL', 'https://shop.test/pay'],
    ['BASE_URL', 'https://shop.test//'],
    ['BASE_URL', 'https://shop.test/?from=mail'],
    ['BASE_URL', 'https://shop.test/#pay'],
    ['BASE_URL', 'https://ada@shop.test'],
    ['BASE_URL', 'https://:hush@shop.test'],
    ['LOG_LEVEL', 'verbose'],
    ['CHECKOUT_TTL', '299'],
    ['CHECKOUT_TTL', '86401'],
    ['CHECKOUT_TTL', '1h'],
    ['CHECKOUT_RETENTION_DAYS', '6'],
    ['WORDING_KEEP_DAYS', '6'],
    ['CHECKSTAND_SECRET_KEY', 'short'],
    ['CHECKSTAND_SECRET_KEY', 'sk_test_0123456789abcdef0123456789abcde'],
    ['CHECKSTAND_SECRET_KEY', 'sk_live_0123456789abcdef0123456789abcde'],
    ['CHECKSTAND_SECRET_KEY', `sk_test_${'abc'.repeat(20)}`],
    ['CHECKSTAND_SECRET_KEY', 'pk_test_4f9c21d07ab83e65c1f2970d8be4a3f6'],
    ['CHECKSTAND_SECRET_KEY', '4f9c21d07ab83e65c1f2970d8be4a3f64f9c21d07ab83e65'],
    ['CHECKSTAND_SECRET_KEY', 'sk_test_4f9c21d07ab83e65:c1f2970d8be4a3f6'],
    ['CHECKSTAND_SECRET_KEY', 'sk_test_4f9c21d07ab83e65 c1f2970d8be4a3f6'],
    ['CHECKSTAND_SECRET_KEY', 'sk_test_4f9c21d07ab83é65c1f2970d8be4a3f6'],
    ['CHECKSTAND_ADMIN_EMAIL', 'ada'],
    ['CHECKSTAND_DEMO', 'yes'],
    ['SANDBOX_SETTLE_MS', '-1'],
    ['PROCESSOR_TIMEOUT_MS', '99'],
    ['PROCESSOR_TIMEOUT_MS', '28001'],
    ['CHECKSTAND_ENCRYPTION_KEY', 'c2hvcnQ='],
    ['CHECKSTAND_ENCRYPTION_KEY', `${'A'.repeat(43)}=,c2hvcnQ=`],
    ['STRIPE_API_URL', 'http://api.stripe.com'],
    ['STRIPE_API_URL', 'https://api.stripe.com/v1'],
    ['STRIPE_API_URL', 'https://ada@api.stripe.com'],
    ['STRIPE_API_URL', 'api.stripe.com'],
    ['STRIPE_JS_URL', 'http://js.stripe.com/dahlia/stripe.js'],
    ['STRIPE_JS_URL', 'javascript:alert(1)'],
    ['STRIPE_JS_URL', 'https://ada:hush@js.stripe.com/'],
    ['OAUTH_REFRESH_DAYS', '0'],
    ['OUTBOUND_ALLOW', '10.1.0.0'],
    ['OUTBOUND_ALLOW', '10.1.0.0/16,'],
    ['OUTBOUND_ALLOW', 'intranet.example'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.1.0.1'],
    ['ALLOWED_HOSTS', 'https://pay.shop.example'],
    ['ALLOWED_HOSTS', 'pay.shop.example,'],
    ['ALLOWED_HOSTS', '*.shop.example'],
    ['PAYER_RATE', '-1'],
    ['API_RATE', 'many'],
    ['PAYER_PAUSE_MS', '60001'],
    ['CARD_TESTING_GUARD', 'yes'],
    ['CHECKSTAND_FAILPOINT', 'attempt-stored'],
    ['CHECKSTAND_FAILPOINT', 'payment:kill'],
  ])('is reported: %s=%s', (name, value) => {
    expect(problem({ [name]: value })).toMatch(
      new RegExp(`^These settings are wrong:\n  ${name}: .+`),
    )
  })

  it('is reported together with all others', () => {
    const message = problem({ PORT: 'abc', LOG_LEVEL: 'verbose', CHECKOUT_TTL: '1' })
    expect(message.split('\n')).toHaveLength(4)
    for (const name of ['PORT', 'LOG_LEVEL', 'CHECKOUT_TTL']) expect(message).toContain(name)
  })

  it('is not repeated if it is a secret', () => {
    expect(problem({ CHECKSTAND_SECRET_KEY: 'not:mine' })).not.toContain('not:mine')
    expect(problem({ CHECKSTAND_ADMIN_PASSWORD: 'hush' })).not.toContain('hush')
    expect(problem({ CHECKSTAND_ENCRYPTION_KEY: 'aHVzaA==' })).not.toContain('aHVzaA==')
    expect(problem({ CHECKSTAND_SECRET_KEY: 'short' })).toContain('openssl rand -hex 32')
  })

  it.each([
    { CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example' },
    { CHECKSTAND_ADMIN_PASSWORD: 'correct horse battery' },
    { CHECKSTAND_ADMIN_EMAIL: 'ada@shop.example', CHECKSTAND_ADMIN_PASSWORD: '' },
  ] as Record<string, string>[])('is half of the administrator: %j', (env) => {
    expect(problem(env)).toBe(
      'CHECKSTAND_ADMIN_EMAIL and CHECKSTAND_ADMIN_PASSWORD must be set together',
    )
  })
})

describe('mail', () => {
  const server = (SMTP_URL: string, MAIL_FROM = 'pay@shop.example') =>
    readConfig({ SMTP_URL, MAIL_FROM }).mail

  it.each([
    ['smtp://mail.shop.example', 587, false, true, undefined],
    ['smtp://mail.shop.example:25/', 25, false, true, undefined],
    ['smtps://mail.shop.example', 465, true, false, undefined],
    ['smtp://localhost:1025', 1025, false, false, undefined],
    ['smtp://a%40b:p%3Ass@10.0.0.9', 587, false, true, { user: 'a@b', pass: 'p:ss' }],
  ])('goes to %s', (url, port, secure, requireTLS, auth) => {
    const host = new URL(url.replace(/^smtps?/, 'http')).hostname
    expect(server(url)?.server).toEqual({ host, port, secure, requireTLS, auth })
  })

  it.each([
    ['pay@shop.example', { name: '', address: 'pay@shop.example' }],
    ['Corner Shop <pay@shop.example>', { name: 'Corner Shop', address: 'pay@shop.example' }],
    ['"Shop, Inc." <pay@shop.example>', { name: 'Shop, Inc.', address: 'pay@shop.example' }],
    ['zahlung@läden.example', { name: '', address: 'zahlung@läden.example' }],
  ])('comes from %s', (text, from) => {
    expect(server('smtp://localhost', text)?.from).toEqual(from)
  })

  it.each([
    'mail.shop.example:587',
    'http://mail.shop.example',
    'smtp://user@mail.shop.example',
    'smtp://mail.shop.example?tls.rejectUnauthorized=false',
    'smtp://mail.shop.example/path',
    'smtp://mail.shop.example:0',
  ])('is not sent to %s, which is not repeated', (url) => {
    const message = problem({ SMTP_URL: url, MAIL_FROM: 'pay@shop.example' })
    expect(message).toContain('SMTP_URL: must be like smtp://')
    expect(message).not.toContain('mail.shop.example:587/')
  })

  it.each(['pay', 'pay@', 'a@b.example, c@d.example', 'Shop <a@b.example> x', 'a b@c.example'])(
    'does not come from %s',
    (from) => {
      expect(problem({ SMTP_URL: 'smtp://localhost', MAIL_FROM: from })).toContain(
        'MAIL_FROM: must',
      )
    },
  )

  it.each([{ SMTP_URL: 'smtp://localhost' }, { MAIL_FROM: 'pay@shop.example' }] as Record<
    string,
    string
  >[])('needs both settings: %j', (env) => {
    expect(problem(env)).toBe('SMTP_URL and MAIL_FROM must be set together')
  })
})

describe('a network', () => {
  it.each(['10.0.0.0/8', '192.168.1.7/32', 'fd00::/8', '0.0.0.0/0'])('is %s', (text) => {
    expect(isNetwork(text)).toBe(true)
  })

  it.each(['10.0.0.0', '10/8', '10.0.0.0/33', 'fd00::/129', 'intranet', ''])(
    'is not "%s"',
    (text) => {
      expect(isNetwork(text)).toBe(false)
    },
  )
})
