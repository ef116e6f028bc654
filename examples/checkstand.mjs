// API calls of a shop's server. They use the secret key, so they never run in a browser.

const { CHECKSTAND_SECRET_KEY, CHECKSTAND_INSTANCE = 'default' } = process.env

/** The address of Checkstand, without a trailing slash. */
export const checkstandUrl = (process.env.CHECKSTAND_URL ?? 'http://localhost:4242').replace(
  /\/+$/,
  '',
)

if (!CHECKSTAND_SECRET_KEY) {
  process.stderr.write(
    'Set CHECKSTAND_SECRET_KEY to the key that Checkstand printed at its first start.\n',
  )
  process.exit(1)
}

/** Allows an origin to embed checkouts. In production, do this once by hand. */
export async function allowOrigin(origin) {
  const { instance } = await call('GET', '')
  if (instance.allowed_origins.includes(origin)) return
  const allowed_origins = [...instance.allowed_origins, origin]
  await call('PUT', '', { instance: { allowed_origins } })
}

/** Creates a link. Send the payer to its `url`, and store its `id` with the order. */
export async function createLink(options) {
  return (await call('POST', '/payment_links', { payment_link: { options } })).payment_link
}

/** Reads a link. Its `status` is the proof of a payment; data from a browser is not. */
export async function readLink(id) {
  return (await call('GET', `/payment_links/${encodeURIComponent(id)}`)).payment_link
}

async function call(method, path, body) {
  const response = await fetch(`${checkstandUrl}/c/api/instances/${CHECKSTAND_INSTANCE}${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${CHECKSTAND_SECRET_KEY}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
