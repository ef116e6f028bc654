import { z } from 'zod'
import { contract, contractResponse, updateContractRequest } from '../../shared/schemas/contract.ts'
import { commonErrors, flatError, nestedError } from '../../shared/schemas/error-bodies.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { Route, Router } from '../http/router.ts'
import { changeContract, type ContractCharges } from './change.ts'
import { CONTRACT_FILTERS } from './filters.ts'
import { serializeContract } from './serialize.ts'
import { listContracts, lookupContract } from './store.ts'

/** `/contracts`. Contracts are created by recurring payments. */

const params = z.object({
  contract_id: z.string().meta({ description: 'Contract id or alt_key.' }),
})

const update = {
  method: 'put',
  path: '/contracts/:contract_id',
  tag: 'contracts',
  summary: 'Update a contract',
  description:
    'Pauses (PAUSED) or resumes (ACTIVE) a contract, or changes its description or the payment ' +
    'method that pays its charges.',
  params,
  body: updateContractRequest,
  responses: { 200: contractResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const cancel = {
  method: 'delete',
  path: '/contracts/:contract_id',
  tag: 'contracts',
  operation: 'cancel_contract',
  summary: 'Cancel a contract',
  description:
    'Cancels a contract and its unpaid charges. No further charges fall due. Paid charges ' +
    'are not affected.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

export function contractRoutes(router: Router, deps: Deps, verbs: ContractCharges): void {
  collectionRoutes(router, deps, {
    name: ['contract', 'contracts'],
    schema: contract,
    params,
    description: { get: 'Returns the contract with this id, or the newest one with this alt_key.' },
    filters: CONTRACT_FILTERS,
    list: listContracts,
    get: async (instanceId, idOrKey) =>
      serializeContract(await lookupContract(deps.db, instanceId, idOrKey)),
    serialize: (rows) => rows.map(serializeContract),
  })

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const target = { instanceId: c.get('instance').id, idOrKey: params.contract_id }
    const request = { change: body.contract, by, ifMatch: readIfMatch(c) }
    const contract = await changeContract(deps, target, request, verbs)
    return c.json({ contract: serializeContract(contract) })
  })

  router.on(cancel, async (c, { params }) => {
    const by = await callerActorSession(deps, c)
    const now = deps.now()
    await inTransaction(deps.db, async (tx) => {
      const { id } = await lookupContract(tx, c.get('instance').id, params.contract_id)
      await verbs.cancel(tx, id, now, by)
    })
    return c.body(null, 204)
  })
}
