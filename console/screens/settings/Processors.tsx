import { useLocation } from 'preact-iso'
import type { ProcessorRecord } from '../../../shared/schemas/processor.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ConnectStripe } from './ConnectStripe.tsx'
import { ProcessorCard } from './ProcessorCard.tsx'
import { t } from './processors-words.ts'
import { SettingsScreen } from './SettingsTabs.tsx'

/** The accounts at processors that take the money. `?do=connect` opens the form for a new one. */
export function Processors() {
  const { api, mode } = useInstance()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('processors:write')
  const { data, error, reload } = useResource<{ processors: ProcessorRecord[] }>(
    api('/processors?limit=100'),
  )
  const connect = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => route(`${path}?do=connect`)}>
      {t('connect_stripe')}
    </Button>
  )
  const inUse = data?.processors.some(({ status }) => status !== 'DISABLED')
  return (
    <SettingsScreen page="processors" actions={data && data.processors.length > 0 && connect}>
      {!data && (error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />)}
      {data && !inUse && (
        <Empty action={data.processors.length === 0 && connect}>
          {t(mode === 'TEST' ? 'empty_test' : 'empty_live')}
        </Empty>
      )}
      <div class="cards">
        {data?.processors.map((processor) => (
          <ProcessorCard key={processor.id} processor={processor} />
        ))}
      </div>
      {query['do'] === 'connect' && canWrite && <ConnectStripe onClose={() => route(path, true)} />}
    </SettingsScreen>
  )
}
