import { expect } from 'vitest'
import type { MerchantClient } from './client.ts'

/** Creates a deep link to pay and returns its record. */
export async function newDeepLink(
  merchant: MerchantClient,
  options: Record<string, unknown> = { amount: '12.50' },
  more: Record<string, unknown> = {},
) {
  const body = { deep_link: { action: 'PAY', options, ...more } }
  const response = await merchant.api('/deep_links', { body })
  expect(response.status, response.text).toBe(200)
  return response.json.deep_link
}

/** Reads a deep link as its merchant, with its payment links. */
export async function readDeepLink(merchant: MerchantClient, id: string) {
  const { deep_link } = (await merchant.api(`/deep_links/${id}`)).json
  const { payment_links } = (await merchant.api(`/deep_links/${id}/payment_links`)).json
  return { ...deep_link, payment_links }
}
