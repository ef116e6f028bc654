import { readFileSync, writeFileSync } from 'node:fs'
import { type Checkstand, type DeepLink, NotFound } from '../index.ts'
import type { Printer } from './print.ts'
import { planLink, type Plan, type StripeItem, type StripeLink } from './stripe-links.ts'
import { UsageError } from './usage.ts'

export interface ImportOptions {
  /** A key of Stripe that may read Payment Links. It is sent to Stripe alone, and kept nowhere. */
  stripeKey: string | undefined
  /** Where Stripe's API is. */
  stripeApi: string
  /** A file with links instead: Stripe's list of Payment Links, each with its `line_items`. */
  file: string | undefined
  /** Makes the links; otherwise it is only said what would be made. */
  publish: boolean
  /** Where the list of old and new addresses is written. */
  out: string
}

interface Source {
  link: StripeLink
  items: readonly StripeItem[]
}

const PAGE = 100

/**
 * Makes a deep link of every active Payment Link of Stripe, and writes old and new addresses to a file. Another run
 * makes nothing twice. Throws an Error when Stripe or the server refuses.
 */
export async function importStripe(
  client: Checkstand,
  options: ImportOptions,
  print: Printer,
): Promise<void> {
  const rows: { from: string; to: string; name: string; price: string; lost: string }[] = []
  for await (const { link, items } of readLinks(options)) {
    const plan = planLink(link, items)
    const from = link.url
    if (typeof plan === 'string') {
      rows.push({ from, to: '', name: '', price: '', lost: `not taken over: it ${plan}` })
      continue
    }
    const made = options.publish ? await makeOnce(client, plan) : undefined
    const { name, currency } = plan.options
    rows.push({
      from,
      to: made?.url ?? '',
      name: name ?? '',
      price: `${priceText(plan)} ${currency}`,
      lost: plan.lost.join('; '),
    })
  }
  print.rows('links', rows)
  if (!options.publish) {
    if (rows.length > 0) print.line('Nothing is made yet: --publish does it')
    return
  }
  const columns = ['from', 'to', 'name', 'price', 'lost'] as const
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  writeFileSync(options.out, lines.map((line) => `${line.map(csvText).join(',')}\r\n`).join(''))
  print.line(`Old and new addresses are in ${options.out}`)
}

/** Returns the deep link with the slug of the plan, which is made unless it is there. */
async function makeOnce(client: Checkstand, { slug, options, maxUses }: Plan): Promise<DeepLink> {
  try {
    return await client.deepLinks.get(slug)
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
  return client.deepLinks.create({
    action: 'PAY',
    slug,
    options,
    ...(maxUses !== undefined && { max_uses: maxUses }),
  })
}

function priceText({ options }: Plan): string {
  const { amount, unit_amount: each, default_amount: suggested } = options
  if (each) return `${each} each`
  return amount ?? (suggested ? `${suggested} suggested` : 'any')
}

const csvText = (text: string) =>
  // A spreadsheet would compute what begins like a formula.
  `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`

async function* readLinks(options: ImportOptions): AsyncGenerator<Source, void> {
  const { file, stripeKey } = options
  if (file === undefined && stripeKey === undefined) {
    throw new UsageError('import stripe takes --stripe-key rk_… or --file links.json')
  }
  if (file === undefined) {
    yield* fetchLinks(options, stripeKey ?? '')
    return
  }
  const read = JSON.parse(readFileSync(file, 'utf8')) as
    | { data?: StripeLinkWithItems[] }
    | StripeLinkWithItems[]
  const links = Array.isArray(read) ? read : (read.data ?? [])
  for (const { line_items: items, ...link } of links) yield { link, items: items?.data ?? [] }
}

type StripeLinkWithItems = StripeLink & { line_items?: { data: StripeItem[] } }

async function* fetchLinks(
  { stripeApi }: Pick<ImportOptions, 'stripeApi'>,
  key: string,
): AsyncGenerator<Source, void> {
  const authorization = `Bearer ${key}`
  const pages = async function* pages<Row extends { id?: string }>(path: string) {
    let after: string | undefined
    do {
      const url = new URL(path, stripeApi)
      url.searchParams.set('limit', String(PAGE))
      if (after !== undefined) url.searchParams.set('starting_after', after)
      const response = await fetch(url, { headers: { authorization } })
      const page = (await response.json()) as {
        data: Row[]
        has_more: boolean
        error?: { message: string }
      }
      if (!response.ok) {
        throw new Error(`Stripe answered ${response.status}: ${page.error?.message ?? ''}`)
      }
      yield* page.data
      after = page.has_more ? page.data.at(-1)?.id : undefined
    } while (after !== undefined)
  }
  for await (const link of pages<StripeLink>('/v1/payment_links')) {
    const items: StripeItem[] = []
    if (link.active) {
      const path = `/v1/payment_links/${encodeURIComponent(link.id)}/line_items`
      for await (const item of pages<StripeItem & { id?: string }>(path)) items.push(item)
    }
    yield { link, items }
  }
}
