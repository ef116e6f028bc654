import { useLocation } from 'preact-iso'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyText } from '../../ui/Details.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { ArchiveEntity } from './ArchiveEntity.tsx'
import { t } from './entities-words.ts'
import { EntityCard } from './EntityCard.tsx'
import { EntityDialog } from './EntityDialog.tsx'
import { SettingsScreen } from './SettingsTabs.tsx'

/**
 * The persons and companies that are paid. `?do=add` opens the form,
 * `?do=edit&id=le_…` that of a present one, `?do=archive&id=le_…` asks before one is archived.
 */
export function Entities() {
  const { api } = useInstance()
  const { path, query, route } = useLocation()
  const canWrite = usePermission('instances:write')
  const { data, error, reload } = useResource<{ legal_entities: LegalEntityRecord[] }>(
    api('/legal_entities?limit=100'),
  )
  const active = data?.legal_entities.filter(({ status }) => status === 'ACTIVE') ?? []
  const archived = data?.legal_entities.filter(({ status }) => status === 'ARCHIVED') ?? []
  const open = (name: string, id = '') => route(`${path}?do=${name}${id && `&id=${id}`}`, true)
  const close = () => route(path, true)
  const add = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => open('add')}>
      {t('add')}
    </Button>
  )
  const chosen = active.find(({ id }) => id === query['id'])
  return (
    <SettingsScreen page="entities" actions={active.length > 0 && add}>
      {!data && (error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />)}
      {data && active.length === 0 && <Empty action={add}>{t('empty')}</Empty>}
      {active.length > 0 && <p class="muted settings-intro">{t('intro')}</p>}
      <div class="cards">
        {active.map((entity) => (
          <EntityCard
            key={entity.id}
            entity={entity}
            actions={
              canWrite && (
                <div class="card-actions">
                  <Button icon="pencil" onClick={() => open('edit', entity.id)}>
                    {t('edit')}
                  </Button>
                  {!entity.default && (
                    <Button icon="archive" onClick={() => open('archive', entity.id)}>
                      {t('archive')}
                    </Button>
                  )}
                </div>
              )
            }
          />
        ))}
      </div>
      {archived.length > 0 && (
        <details class="archived">
          <summary>{t('archived_many', { count: archived.length })}</summary>
          <ul>
            {archived.map((entity) => (
              <li key={entity.id}>
                {entity.legal_name} <CopyText text={entity.id} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {canWrite && query['do'] === 'add' && <EntityDialog onClose={close} />}
      {canWrite && query['do'] === 'edit' && chosen && (
        <EntityDialog key={chosen.id} entity={chosen} onClose={close} />
      )}
      {canWrite && query['do'] === 'archive' && chosen && (
        <ArchiveEntity entity={chosen} onClose={close} />
      )}
    </SettingsScreen>
  )
}
