import type { Processor } from '../../server/processors/port.ts'
import type { Verb } from './ledger.ts'

/**
 * The adapter of the harness's ledger: the port of the product over HTTP, and nothing else. `like`
 * is the sandbox, whose name and abilities it has, since that is what stands at the other end.
 */
export function ledgerProcessor(url: string, like: Processor): Processor {
  const ask =
    <Asked, Answered>(verb: Verb) =>
    async (asked: Asked): Promise<Answered> => {
      const response = await fetch(`${url}/${verb}`, {
        method: 'POST',
        body: JSON.stringify(asked),
      })
      return (await response.json()) as Answered
    }
  return {
    id: like.id,
    name: like.name,
    test: like.test,
    capabilities: like.capabilities,
    pay: ask('pay'),
    authorize: ask('authorize'),
    capture: ask('capture'),
    refund: ask('refund'),
    void: ask('void'),
    query: ask('query'),
    cancel: ask('cancel'),
  }
}
