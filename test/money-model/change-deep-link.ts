import { expect } from 'vitest'
import type { Model } from './model.ts'
import type { Operation } from './operation.ts'
import { formatAmount } from './world.ts'

/** What the merchant does with the deep link of a run. */
export interface DeepLinkRequest {
  kind: 'deep link'
  change: 'one more use' | 'amount' | 'archive'
  amount: number
}

export function planDeepLink(
  model: Model,
  { change, amount }: DeepLinkRequest,
): Operation | undefined {
  const present = model.deepLinks.find((link) => !link.archived)
  if (!present) return undefined
  const path = `/deep_links/${present.id}`
  const max_uses = present.maxUses + 1
  return {
    fault: 'none',
    async send(world) {
      const { merchant, app } = world
      if (change === 'archive') {
        const archived = await merchant.api(path, { method: 'DELETE' })
        const opened = await app.call(`/go/${present.id}/checkouts`, { body: {} })
        expect([opened.status, opened.json.token]).not.toEqual([200, expect.anything()])
        delete world.deepLink
        return archived
      }
      const deep_link =
        change === 'amount' ? { options: { amount: formatAmount(amount) } } : { max_uses }
      return merchant.api(path, { method: 'PUT', body: { mode: 'PATCH', deep_link } })
    },
    follow(now, answer) {
      expect(answer.status, answer.text).toBe(change === 'archive' ? 204 : 200)
      const link = now.deepLinks.find(({ id }) => id === present.id)
      if (!link) throw new Error('the model has lost its deep link')
      if (change === 'archive') link.archived = true
      else if (change === 'amount') link.amount = amount
      else link.maxUses = max_uses
    },
  }
}
