import { money, type NewEntry, newEntry, type Source } from './entry.ts'

/** Since when customers, their methods, contracts and charges exist. */
export async function listCustomerEntries(source: Source): Promise<NewEntry[]> {
  return [
    ...(await accountEntries(source)),
    ...(await methodEntries(source)),
    ...(await contractEntries(source)),
    ...(await chargeEntries(source)),
  ]
}

async function accountEntries({ db, instanceId, scope }: Source): Promise<NewEntry[]> {
  if (scope.accounts.length === 0) return []
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'anonymised', 'created_session', 'created'])
    .where('id', 'in', scope.accounts)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return accounts.flatMap(({ id, anonymised, created_session: session, created }) => {
    const ids = { account: id }
    return [
      newEntry(created, 'account', 'account_created', { ids, session }),
      ...(anonymised === null
        ? []
        : [newEntry(anonymised, 'account', 'account_anonymised', { ids })]),
    ]
  })
}

async function methodEntries({ db, instanceId, scope }: Source): Promise<NewEntry[]> {
  if (scope.payment_methods.length === 0) return []
  const methods = await db
    .selectFrom('payment_methods')
    .select(['id', 'account_id', 'type', 'brand', 'last4', 'status', 'created', 'updated'])
    .where('id', 'in', scope.payment_methods)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return methods.flatMap(({ id, account_id, type, brand, last4, ...method }) => {
    const details = {
      values: { type, brand, last4 },
      ids: { payment_method: id, account: account_id },
    }
    return [
      newEntry(method.created, 'payment_method', 'payment_method_created', details),
      ...(method.status === 'REMOVED'
        ? [newEntry(method.updated, 'payment_method', 'payment_method_removed', details)]
        : []),
    ]
  })
}

async function contractEntries({ db, instanceId, scope }: Source): Promise<NewEntry[]> {
  if (scope.contracts.length === 0) return []
  const contracts = await db
    .selectFrom('contracts')
    .select(['id', 'amount', 'currency', 'frequency', 'interval', 'created_session', 'created'])
    .where('id', 'in', scope.contracts)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return contracts.map(({ id, frequency, interval, created_session: session, ...contract }) => {
    const values = { ...money(contract), frequency, interval }
    const details = { values, ids: { contract: id }, session }
    return newEntry(contract.created, 'contract', 'contract_created', details)
  })
}

async function chargeEntries({ db, instanceId, scope }: Source): Promise<NewEntry[]> {
  if (scope.charges.length === 0) return []
  const charges = await db
    .selectFrom('charges')
    .select(['id', 'contract_id', 'amount', 'currency', 'due', 'created_session', 'created'])
    .where('id', 'in', scope.charges)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return charges.map(({ id, contract_id, due, created_session: session, ...charge }) => {
    const ids = { charge: id, contract: contract_id }
    const values = { ...money(charge), due }
    return newEntry(charge.created, 'charge', 'charge_created', { values, ids, session })
  })
}
