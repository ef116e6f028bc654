import { useState } from 'preact/hooks'
import type { DeepLink } from '../../../shared/schemas/deep-link.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'
import { localTime, utcTime } from '../../ui/Time.tsx'
import { t } from './deep-links-words.ts'

/** Changes until when, and how often, a task of a customer can be done. */
export function DeepLinkLimits({
  link,
  onClose,
}: {
  link: Pick<DeepLink, 'id' | 'v' | 'expires' | 'max_uses'>
  onClose: () => void
}) {
  const { api } = useInstance()
  const [ends, setEnds] = useState(link.expires === null ? '' : localTime(link.expires))
  const [uses, setUses] = useState(link.max_uses === null ? '' : String(link.max_uses))
  const save = useAction(async () => {
    await request('PUT', api(`/deep_links/${link.id}`), {
      ifMatch: link.v,
      body: {
        deep_link: {
          expires: ends === '' ? null : utcTime(ends),
          max_uses: uses === '' ? null : Number(uses),
        },
      },
    })
    invalidate((path) => path.startsWith(api('/deep_links')))
    toast(t('saved'))
    onClose()
  })
  return (
    <ConfirmDialog
      title={t('limits')}
      label={t('save')}
      kind="primary"
      isForm
      disabled={uses !== '' && !/^[1-9]\d{0,8}$/.test(uses)}
      action={save}
      onClose={onClose}
    >
      <TextField label={t('ends')} type="datetime-local" value={ends} onInput={setEnds} />
      <TextField
        label={t('max_uses')}
        inputMode="numeric"
        value={uses}
        onInput={(typed) => setUses(typed.trim())}
      />
    </ConfirmDialog>
  )
}
