// The few calls that a shop's own server makes to Checkstand. They need the secret key, so they never
// run in a browser.

const { CHECKSTAND_SECRET_KEY, CHECKSTAND_INSTANCE = 'default' } = process.env

/** Where Checkstand is, without a slash at the end. */
export const checkstandUrl = (process.env.CHECKSTAND_URL ?? 'http://localhost:4242').replace(
  /\/+$/,
  '',
)

if (!CHECKSTAND_SECRET_KEY) {
  process.stderr.write(
    'Set CHECKSTAND_SECRET_KEY to the key that Checkstand printed at its start.\n',
  )
  process.exit(1)
}

/** Lets pages of this origin embed checkouts. In real life this is done once, by hand. */
export async function allowOrigin(origin) {
  const { instance } = await call('GET', '')
  if (instance.allowed_origins.includes(origin)) return
  const allowed_origins = [...instance.allowed_origins, origin]
  await call('PUT', '', { instance: { allowed_origins } })
}

/** A link that is paid once; `url` is where, `id` is what to remember with the order. */
export async function createLink(options) {
  return (await call('POST', '/payment_links', { payment_link: { options } })).payment_link
}

/** How a link stands. This, and not what a browser says, tells whether an order is paid. */
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
