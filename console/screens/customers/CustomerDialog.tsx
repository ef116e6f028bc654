import { useState } from 'preact/hooks'
import type { Account } from '../../../shared/schemas/account.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './customers-words.ts'

const PERSON = ['first_name', 'last_name', 'email', 'phone', 'company'] as const
const LINES = ['line1', 'line2', 'line3', 'line4', 'country'] as const
const FURTHER = ['tags', 'locale', 'timezone'] as const

type Member = (typeof PERSON)[number] | (typeof FURTHER)[number]

/** Changes what is known of a customer. Only members that were changed are sent. */
export function CustomerDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { api } = useInstance()
  const [members, setMembers] = useState<Partial<Record<Member, string>>>({})
  const [lines, setLines] = useState<Partial<Record<(typeof LINES)[number], string>>>({})
  const save = useAction(async (key) => {
    const changes = {
      ...nulled(members),
      ...(Object.keys(lines).length > 0 && { address: nulled(lines) }),
    }
    const path = api(`/accounts/${account.id}`)
    await request('PUT', path, { key, ifMatch: account.v, body: { account: changes } })
    invalidate((one) => one.startsWith(api('/accounts')))
    toast(t('saved'))
    onClose()
  })
  const field = (name: Member) => (
    <TextField
      key={name}
      label={t(name)}
      type={name === 'email' ? 'email' : 'text'}
      value={members[name] ?? account[name] ?? ''}
      onInput={(value) => setMembers({ ...members, [name]: value })}
      {...(name === 'locale' && { hint: t('locale_hint') })}
      {...(name === 'timezone' && { hint: t('timezone_hint') })}
      {...(name === 'tags' && { hint: t('tags_hint') })}
    />
  )
  const isChanged = Object.keys({ ...members, ...lines }).length > 0
  return (
    <ConfirmDialog
      isForm
      wide
      kind="primary"
      title={t('edit')}
      label={t('save')}
      action={save}
      disabled={!isChanged}
      onClose={onClose}
    >
      <FieldGroup title={t('customer')}>{PERSON.map(field)}</FieldGroup>
      <FieldGroup title={t('address')}>
        {LINES.map((line) => (
          <TextField
            key={line}
            label={t(line)}
            value={lines[line] ?? account.address?.[line] ?? ''}
            onInput={(value) => setLines({ ...lines, [line]: value })}
            {...(line === 'country' && { maxLength: 2, hint: t('country_hint') })}
          />
        ))}
      </FieldGroup>
      <FieldGroup title={t('further')}>{FURTHER.map(field)}</FieldGroup>
    </ConfirmDialog>
  )
}

/** An empty field clears its member. */
const nulled = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.trim() === '' ? null : value.trim(),
    ]),
  )
