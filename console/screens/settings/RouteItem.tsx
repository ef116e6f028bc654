import { useEffect, useRef } from 'preact/hooks'
import type { LegalEntityRouteRecord } from '../../../shared/schemas/legal-entity-route.ts'
import type { LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ActionError } from '../../ui/States.tsx'
import { toast } from '../../ui/toast.ts'
import { conditionPhrases } from './route-conditions.ts'
import { t } from './routes-words.ts'

/** One route as a sentence, with its place in the order. `onOpen` is absent for who may only read. */
export function RouteItem({
  route,
  entity,
  last,
  onOpen,
}: {
  route: LegalEntityRouteRecord
  entity: LegalEntityRecord | undefined
  /** The last position. */
  last: number
  onOpen: ((name: string, id: string) => void) | undefined
}) {
  const { api } = useInstance()
  const item = useRef<HTMLLIElement>(null)
  const moved = useRef<1 | -1>(undefined)
  const { position } = route
  const move = useAction(async (_key, step: 1 | -1) => {
    await request('PUT', api(`/legal_entity_routes/${route.id}`), {
      ifMatch: route.v,
      body: { legal_entity_route: { position: position + step } },
    }).finally(() => invalidate((path) => path.startsWith(api('/legal_entity_routes'))))
    toast(t('moved', { position: position + step }))
    moved.current = step
  })
  // The item moves in the document, which takes the focus from its button.
  useEffect(() => {
    const buttons = [...(item.current?.querySelectorAll<HTMLButtonElement>('[data-step]') ?? [])]
    if (moved.current === -1) buttons.reverse()
    if (moved.current) buttons.findLast(({ disabled }) => !disabled)?.focus()
    moved.current = undefined
  }, [position])
  const phrases = conditionPhrases(route.when)
  return (
    <li ref={item} class={route.enabled ? 'route' : 'route is-off'}>
      <span class="route-position">{position}</span>
      <div>
        <p>
          {phrases.length === 0 ? t('any_payment') : phrases.join(t('and'))}
          {' → '}
          <b>{entity?.name ?? entity?.legal_name ?? ''}</b>
        </p>
        {route.processor !== null && (
          <p class="muted">
            {t('settles')} <code>{route.processor}</code>
          </p>
        )}
        {route.description !== null && <p class="muted">{route.description}</p>}
        {!route.enabled && (
          <Pill tone="calm" plain>
            {t('off')}
          </Pill>
        )}
        <ActionError error={move.error} />
      </div>
      {onOpen && (
        <div class="route-actions">
          <IconButton
            icon="arrow-up"
            label={t('up', { position })}
            data-step={-1}
            disabled={position === 1}
            onClick={() => void move.run(-1)}
          />
          <IconButton
            icon="arrow-down"
            label={t('down', { position })}
            data-step={1}
            disabled={position === last}
            onClick={() => void move.run(1)}
          />
          <IconButton
            icon="pencil"
            label={t('edit', { position })}
            onClick={() => onOpen('edit', route.id)}
          />
          <IconButton
            icon="trash"
            label={t('end', { position })}
            onClick={() => onOpen('end', route.id)}
          />
        </div>
      )}
    </li>
  )
}
