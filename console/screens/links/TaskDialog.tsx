import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { usePermissions } from '../../shell/permissions.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { copyText } from '../../ui/Details.tsx'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { RadioCards } from '../../ui/Radio.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './deep-links-words.ts'
import {
  ALLOWANCES,
  DAYS_MAX,
  isTaskReady,
  taskLink,
  tasksOf,
  type TaskDraft,
} from './task-draft.ts'
import { TaskTargets } from './TaskTargets.tsx'

/** The form for a link that leads one customer to one task. */
export function TaskDialog({
  account,
  contract,
  onClose,
}: {
  /** Id of the customer; empty to enter one. */
  account: string
  contract: string
  onClose: () => void
}) {
  const { api, screen } = useInstance()
  const { route } = useLocation()
  const tasks = tasksOf(usePermissions())
  const [draft, setDraft] = useState<TaskDraft>({
    action:
      (contract !== '' && tasks.find((task) => task === 'MANAGE_CONTRACT')) ||
      tasks[0] ||
      'PAY_CHARGES',
    account,
    contract,
    allow: [],
    days: '7',
    successUrl: '',
  })
  const set = (members: Partial<TaskDraft>) => setDraft({ ...draft, ...members })
  const create = useAction(async (key) => {
    const { deep_link: made } = await request<{ deep_link: DeepLink }>('POST', api('/deep_links'), {
      key,
      body: { deep_link: taskLink(draft, Date.now()) },
    })
    invalidate((path) => path.startsWith(api('/deep_links')))
    toast(t((await copyText(made.url)) ? 'made_copied' : 'made'))
    route(screen(`/links/deep/${made.id}`))
  })
  return (
    <ConfirmDialog
      title={t('new_task')}
      label={t('make')}
      kind="primary"
      wide
      keep
      isForm
      disabled={!isTaskReady(draft)}
      action={create}
      onClose={onClose}
    >
      <RadioCards
        label={t('task')}
        value={draft.action}
        options={tasks.map((value) => ({
          value,
          label: t(`action_${value}`),
          hint: t(`hint_${value}`),
        }))}
        onChange={(action) => set({ action })}
      />
      <TaskTargets draft={draft} set={set} />
      {draft.action === 'MANAGE_CONTRACT' && (
        <FieldGroup title={t('allow')}>
          {ALLOWANCES.map((one) => (
            <CheckField
              key={one}
              label={t(`allow_${one}`)}
              checked={draft.allow.includes(one)}
              onChange={(on) =>
                set({
                  allow: ALLOWANCES.filter((each) =>
                    each === one ? on : draft.allow.includes(each),
                  ),
                })
              }
            />
          ))}
        </FieldGroup>
      )}
      <FieldGroup title={t('limits')}>
        <TextField
          label={t('days')}
          hint={t('days_hint', { max: DAYS_MAX })}
          inputMode="numeric"
          maxLength={2}
          value={draft.days}
          onInput={(days) => set({ days: days.trim() })}
        />
        <TextField
          label={t('back_to')}
          type="url"
          placeholder="https://"
          value={draft.successUrl}
          onInput={(successUrl) => set({ successUrl: successUrl.trim() })}
        />
      </FieldGroup>
    </ConfirmDialog>
  )
}
