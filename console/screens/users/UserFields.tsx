import { ROLES } from '../../../shared/rules/roles.ts'
import type { UserRecord } from '../../../shared/schemas/user.ts'
import { boot } from '../../boot.ts'
import { CheckField, TextField } from '../../ui/Field.tsx'
import { FieldGroup } from '../../ui/FieldGroup.tsx'
import { RadioCards } from '../../ui/Radio.tsx'
import { language as spoken } from '../../words.ts'
import { languagesOf } from '../../shipped-languages.ts'
import { t } from './users-words.ts'
import './users.css'

/** What an owner decides about a user. */
export type UserDraft = Pick<UserRecord, 'name' | 'role' | 'instances' | 'languages'>

/** False while a list of instances or languages is empty. */
export const isComplete = ({ instances, languages }: UserDraft): boolean =>
  instances?.length !== 0 && languages?.length !== 0

/** Returns the members for the API: only editors have languages. */
export const draftBody = ({ name, role, instances, languages }: UserDraft) => ({
  name: name?.trim() || null,
  role,
  instances,
  ...(role === 'EDITOR' && { languages }),
})

/** The fields of a user's name, role, instances and, for editors, languages. */
export function UserFields({
  draft,
  onChange,
}: {
  draft: UserDraft
  onChange: (draft: UserDraft) => void
}) {
  const change = (members: Partial<UserDraft>) => onChange({ ...draft, ...members })
  const instances = boot.instances.map(({ key, name }) => ({ value: key, label: name }))
  const names = new Intl.DisplayNames(spoken(), { type: 'language' })
  const languages = languagesOf([]).map((code) => ({
    value: code,
    label: code === 'default' ? t('base_language') : (names.of(code) ?? code),
  }))
  return (
    <>
      <TextField
        label={t('name')}
        aside={t('optional')}
        maxLength={255}
        autocomplete="off"
        value={draft.name ?? ''}
        onInput={(name) => change({ name })}
      />
      <RadioCards
        label={t('role')}
        value={draft.role}
        options={ROLES.map((value) => ({
          value,
          label: t(`role_${value}`),
          hint: t(`role_${value}_may`),
        }))}
        onChange={(role) => change({ role })}
      />
      {draft.role === 'EDITOR' && (
        <Choices
          title={t('languages')}
          all={t('all_languages')}
          options={languages}
          value={draft.languages}
          onChange={(chosen) => change({ languages: chosen })}
        />
      )}
      {instances.length > 1 && (
        <Choices
          title={t('instances')}
          all={t('all_instances')}
          options={instances}
          value={draft.instances}
          onChange={(chosen) => change({ instances: chosen })}
        />
      )}
    </>
  )
}

/** All, or those that are checked. */
function Choices({
  title,
  all,
  options,
  value,
  onChange,
}: {
  title: string
  all: string
  options: readonly { value: string; label: string }[]
  value: readonly string[] | null
  onChange: (value: string[] | null) => void
}) {
  return (
    <>
      <CheckField
        label={all}
        checked={value === null}
        onChange={(isAll) => onChange(isAll ? null : [])}
      />
      {value !== null && (
        <FieldGroup title={title}>
          {options.map((option) => (
            <CheckField
              key={option.value}
              label={option.label}
              checked={value.includes(option.value)}
              onChange={(on) =>
                onChange(
                  on ? [...value, option.value] : value.filter((one) => one !== option.value),
                )
              }
            />
          ))}
        </FieldGroup>
      )}
    </>
  )
}
