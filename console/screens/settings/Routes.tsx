import { useLocation } from 'preact-iso'
import type { LegalEntityRouteRecord } from '../../../shared/schemas/legal-entity-route.ts'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { EndRoute } from './EndRoute.tsx'
import { entityId } from './route-draft.ts'
import { RouteDialog } from './RouteDialog.tsx'
import { RouteItem } from './RouteItem.tsx'
import { SettingsScreen } from './SettingsTabs.tsx'
import { t } from './routes-words.ts'
import { TryRoutes } from './TryRoutes.tsx'

/**
 * Which legal entity takes which payment: rules in order. `?do=add` opens the form, `?do=edit&id=ler_…`
 * that of a present one, `?do=end&id=ler_…` asks before one ends, `?do=try` tries them.
 */
export function Routes() {
  const { api, screen } = useInstance()
  const { path, query, route: go } = useLocation()
  const canWrite = usePermission('instances:write')
  const read = useResource<{ legal_entity_routes: LegalEntityRouteRecord[] }>(
    api('/legal_entity_routes?limit=200'),
  )
  const entitiesRead = useResource<{ legal_entities: LegalEntityRecord[] }>(
    api('/legal_entities?limit=100'),
  )
  const routes = read.data?.legal_entity_routes
  const all = entitiesRead.data?.legal_entities
  const error = read.error ?? entitiesRead.error
  const retry = () => {
    read.reload()
    entitiesRead.reload()
  }
  const open = (name: string, id = '') => go(`${path}?do=${name}${id && `&id=${id}`}`, true)
  const close = () => go(path, true)
  if (!routes || !all) {
    return (
      <SettingsScreen page="routes">
        {error ? <ErrorPanel error={error} retry={retry} /> : <Skeleton />}
      </SettingsScreen>
    )
  }
  const entities = all.filter(({ status }) => status === 'ACTIVE')
  const fallback = entities.find((entity) => entity.default)
  const chosen = routes.find(({ id }) => id === query['id'])
  const add = canWrite && (
    <Button kind="primary" icon="plus" onClick={() => open('add')}>
      {t('add')}
    </Button>
  )
  if (!fallback) {
    return (
      <SettingsScreen page="routes">
        <Empty
          action={
            canWrite && (
              <ButtonLink kind="primary" href={screen('/settings/entities?do=add')}>
                {t('add_entity')}
              </ButtonLink>
            )
          }
        >
          {t('no_entities')}
        </Empty>
      </SettingsScreen>
    )
  }
  return (
    <SettingsScreen
      page="routes"
      actions={
        <>
          <Button icon="route" onClick={() => open('try')}>
            {t('try')}
          </Button>
          {add}
        </>
      }
    >
      <p class="muted settings-intro">{t(routes.length > 0 ? 'intro' : 'empty')}</p>
      <ol class="routes">
        {routes.map((route) => (
          <RouteItem
            key={route.id}
            route={route}
            last={routes.length}
            entity={all.find(({ id }) => id === entityId(route))}
            onOpen={canWrite ? open : undefined}
          />
        ))}
      </ol>
      <p class="route-else">
        {t(routes.length > 0 ? 'everything_else' : 'everything')}{' '}
        <b>{fallback.name ?? fallback.legal_name}</b>
      </p>
      {canWrite && query['do'] === 'add' && <RouteDialog entities={entities} onClose={close} />}
      {canWrite && query['do'] === 'edit' && chosen && (
        <RouteDialog key={chosen.id} route={chosen} entities={entities} onClose={close} />
      )}
      {canWrite && query['do'] === 'end' && chosen && <EndRoute route={chosen} onClose={close} />}
      {query['do'] === 'try' && <TryRoutes onClose={close} />}
    </SettingsScreen>
  )
}
