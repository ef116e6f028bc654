import { inTransaction } from '../db/transaction.ts'
import type { Deps, RecordExport } from '../deps.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Returns what writes a list that is read as a file into the audit log. Of the criteria only the names of
 * the fields are kept, because their values may be personal data.
 */
export function createExportRecorder({ db, realNow }: Pick<Deps, 'db' | 'realNow'>): RecordExport {
  return (c, { list, fields, rows }) =>
    inTransaction(db, (tx) =>
      recordAudit(tx, {
        at: realNow(),
        by: c.get('actor'),
        of: { instance: c.get('instance').id },
        action: 'list.exported',
        detail: { list, fields, rows },
      }),
    )
}
