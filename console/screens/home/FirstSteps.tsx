import type { Permission } from '../../../shared/rules/permissions.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import type { ListMeta } from '../../api/lists.ts'
import { useResource } from '../../api/resource.ts'
import { boot } from '../../boot.ts'
import { useAttention } from '../../shell/attention.ts'
import { usePermission } from '../../shell/permissions.ts'
import { Section } from '../../ui/Details.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from './home-words.ts'

/** What a new shop does before its first payment, each step checked off by what exists. */
export function FirstSteps() {
  const { key, api } = useInstance()
  const settings = useResource<{ instance: InstanceRecord }>(api(`/instances/${key}`))
  const { data } = useAttention()
  const instance = settings.data?.instance
  const hasLook = instance && (instance.theme !== null || instance.brandings.length > 0)
  const isOwner = boot.user.role === 'OWNER'
  return (
    <Section title={t('first_steps')}>
      <p class="muted">{t('first_steps_lead')}</p>
      <ol class="steps">
        <ListedStep
          id="step_link"
          list="payment_links"
          needs="payment_links:write"
          to="/links/new"
        />
        <Step id="step_look" isDone={hasLook ?? false} to="/look" />
        <ListedStep id="step_words" list="string_overrides" needs="strings:write" to="/wording" />
        <ListedStep
          id="step_processor"
          list="processors"
          needs="processors:write"
          to="/settings/processors"
        />
        <ListedStep
          id="step_webhook"
          list="instance_webhooks"
          needs="webhooks:write"
          to="/developers/webhooks"
        />
        <ListedStep
          id="step_invite"
          list="users"
          needs="users:write"
          to="/settings/users"
          from={2}
        />
        {isOwner && (
          <Step
            id="step_factor"
            isDone={data?.attention.owners_without_factor?.count === 0}
            href="/console/me"
          />
        )}
      </ol>
    </Section>
  )
}

type StepId =
  | 'step_link'
  | 'step_look'
  | 'step_words'
  | 'step_processor'
  | 'step_webhook'
  | 'step_invite'
  | 'step_factor'

/** A step that is done when a list has records. */
function ListedStep({
  id,
  list,
  needs,
  to,
  from = 1,
}: {
  id: StepId
  list: string
  needs: Permission
  to: string
  /** The number of records from which it is done. */
  from?: number
}) {
  const { api } = useInstance()
  const can = usePermission(needs)
  const { data } = useResource<{ meta: ListMeta }>(can ? api(`/${list}?limit=1`) : null)
  return can ? <Step id={id} isDone={(data?.meta.total ?? 0) >= from} to={to} /> : null
}

function Step({
  id,
  isDone,
  to = '',
  href,
}: {
  id: StepId
  isDone: boolean
  /** A screen of the instance. */
  to?: string
  /** Another screen. */
  href?: string
}) {
  const { screen } = useInstance()
  return (
    <li class={isDone ? 'is-done' : ''}>
      <Icon name={isDone ? 'circle-check' : 'chevron-right'} />
      {isDone && <span class="visually-hidden">{t('step_done')}</span>}
      <a href={href ?? screen(to)}>{t(id)}</a>
    </li>
  )
}
