import type { ProcessorRecord } from '../../shared/schemas/processor.ts'
import type { Config } from '../config.ts'
import { adapterOf } from '../processors/adapters.ts'
import { parseStoredSettings } from './settings.ts'
import type { ConnectionRow } from './store.ts'
import { webhookUrl } from './webhook-url.ts'

/** Leaves out every secret. */
export function serializeConnection(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  row: ConnectionRow,
): ProcessorRecord {
  const adapter = adapterOf(row.name)
  const settings = parseStoredSettings(row)
  const url = webhookUrl(baseUrl, row)
  return {
    id: row.id,
    name: row.name as ProcessorRecord['name'],
    mode: row.mode,
    status: row.status,
    publishable_key: row.publishable_key,
    key_hint: row.key_hint,
    account: row.account,
    webhook: {
      url,
      status: webhookStatus(row, url),
      events: [...adapter.noticeTypes],
      last_heard: row.last_heard,
    },
    methods: [...adapter.methodTypes(settings)],
    settings,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}

function webhookStatus(
  { webhook_endpoint, webhook_secret }: ConnectionRow,
  url: string | null,
): ProcessorRecord['webhook']['status'] {
  if (webhook_secret === null) return url === null ? 'OFF' : 'MISSING'
  return webhook_endpoint === null ? 'MANUAL' : 'AUTOMATIC'
}
