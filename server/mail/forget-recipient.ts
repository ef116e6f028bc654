import type { Tx } from '../db/tables.ts'

/**
 * Deletes the addresses of a customer from the outbox: of mails to the account's address, and of those
 * that led to a link that the account paid. A mail that is not sent yet has no recipient then.
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
        ...(email === null ? [] : [eb('recipient', '=', email)]),
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
