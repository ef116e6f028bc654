import type { Tx } from '../db/tables.ts'

/**
 * Deletes the addresses of a customer from the outbox: of mails to the account's address, and of those
 * that lead to a link by which the account paid or tried to. A mail that waits has no recipient then.
 */
export async function forgetRecipient(
  tx: Tx,
  { id, instance_id, email }: { id: string; instance_id: string; email: string | null },
): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ recipient: null })
    .where('instance_id', '=', instance_id)
    .where('recipient', 'is not', null)
    .where((eb) =>
      eb.or([
        ...(email ? [eb(eb.fn<string>('lower', ['recipient']), '=', email.toLowerCase())] : []),
        eb(
          'record_id',
          'in',
          eb
            .selectFrom('payments')
            .select((link) => link.ref('payment_link_id').$notNull().as('id'))
            .where('instance_id', '=', instance_id)
            .where('account_id', '=', id)
            .where('payment_link_id', 'is not', null),
        ),
      ]),
    )
    .execute()
}
