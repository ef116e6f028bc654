import { expect } from 'vitest'
import { type Action, begin, type Simulation } from './client-memory.ts'
import { AMOUNTS, newToken } from './cards.ts'

/** Links and deep links of a merchant, and charges for which they ask. */

export const makeLink: Action = async (simulation) => {
  const { random } = simulation
  const recurring = random.chance(0.2) && { recurring: { frequency: 'MONTH', count: 3 } }
  await createLink(simulation, { amount: random.pick(AMOUNTS), currency: 'EUR', ...recurring })
}

async function createLink(simulation: Simulation, options: object): Promise<void> {
  const response = await begin(simulation, '/payment_links', { payment_link: { options } })
  if (response.status !== 200) return
  const { id } = response.json.payment_link
  simulation.memory.links.set(id, 1)
  simulation.memory.pages.push(id)
}

async function createDeepLink(simulation: Simulation, deep_link: object): Promise<void> {
  const response = await begin(simulation, '/deep_links', { deep_link })
  if (response.status === 200) simulation.memory.pages.push(response.json.deep_link.id)
}

export const makeDeepLink: Action = async (simulation) => {
  const options = { amount: simulation.random.pick(AMOUNTS), currency: 'EUR' }
  await createDeepLink(simulation, { action: 'PAY', max_uses: 2, options })
}

export const changeDeepLink: Action = async ({ memory, random, api }) => {
  const ids = memory.pages.filter((page) => page.startsWith('dl_'))
  if (ids.length === 0) return
  const path = `/deep_links/${random.pick(ids)}`
  if (random.chance(0.3)) return void (await api(path, { method: 'DELETE' }))
  const deep_link = random.pick([
    { max_uses: random.between(1, 5) },
    { options: { amount: random.pick(AMOUNTS) } },
  ])
  await api(path, { method: 'PUT', body: { mode: 'PATCH', deep_link } })
}

/** Stores the card of a new customer, who is to pay a charge later. */
export const makeCustomer: Action = async (simulation) => {
  const crm_key = simulation.nextKey()
  const created = await begin(simulation, '/accounts', { account: { crm_key } })
  const account = created.json.account?.id
  const token = await newToken(simulation, ['approve', 'taken'])
  const first = { amount: '1.00', currency: 'EUR', account, payment_method: { token, save: true } }
  const stored = await begin(simulation, '/payments', { payment: first })
  const payment_method = stored.json.payment?.payment_method
  if (payment_method == null) return
  const due = new Date(simulation.now() + 2 * 3_600_000).toISOString()
  const payment = { amount: '10.00', currency: 'EUR', account, payment_method, due }
  const scheduled = await begin(simulation, '/payments', { payment })
  const charge = scheduled.json.payment?.charge
  if (charge != null) simulation.memory.customers.push({ account, payment_method, charge })
}

/** Asks for a charge by a link or a deep link, or takes a part of it. */
export const settleCharge: Action = async (simulation) => {
  const { memory, random, now } = simulation
  if (memory.customers.length === 0) return
  const { account, payment_method, charge } = random.pick(memory.customers)
  switch (random.pick(['link', 'deep link', 'request'] as const)) {
    case 'link':
      return createLink(simulation, { account, charges: [charge] })
    case 'deep link': {
      const expires = new Date(now() + 86_400_000).toISOString()
      return createDeepLink(simulation, { action: 'PAY_CHARGES', account, expires })
    }
    case 'request': {
      const amount = random.pick(['4.00', '10.00'])
      const parts = [{ charge, amount }]
      const payment = { amount, currency: 'EUR', account, payment_method, parts }
      await begin(simulation, '/payments', { payment })
    }
  }
}

export const editLink: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.links.keys()][random.between(0, memory.links.size)]
  if (id === undefined) return
  const name = `Beans ${simulation.nextKey()}`
  const { status, json } = await simulation.api(`/payment_links/${id}`, {
    method: 'PUT',
    body: { payment_link: { options: { name } } },
  })
  if (status !== 200) return
  // Each accepted write gets a version of its own.
  expect(json.payment_link.options.name).toBe(name)
  memory.links.set(id, Math.max(memory.links.get(id) ?? 0, json.payment_link.v))
}

export const readLink: Action = async (simulation) => {
  const { memory, random } = simulation
  const id = [...memory.links.keys()][random.between(0, memory.links.size)]
  if (id === undefined) return
  // Read before the request, since the state may change meanwhile.
  const before = memory.links.get(id) ?? 0
  const { status, json } = await simulation.api(`/payment_links/${id}`)
  expect(status).toBe(200)
  expect(json.payment_link.v, id).toBeGreaterThanOrEqual(before)
  memory.links.set(id, Math.max(memory.links.get(id) ?? 0, json.payment_link.v))
}
