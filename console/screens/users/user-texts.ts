import type { UserRecord } from '../../../shared/schemas/user.ts'
import { boot } from '../../boot.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { language as spoken } from '../../words.ts'
import { t } from './users-words.ts'

export const roleText = ({ role }: Pick<UserRecord, 'role'>): string => t(`role_${role}`)

export function userStatus({ disabled, invitation, last_seen }: UserRecord): {
  tone: Tone
  label: string
} {
  if (disabled) return { tone: 'bad', label: t('status_disabled') }
  if (last_seen !== null) return { tone: 'ok', label: t('status_active') }
  return invitation && Date.parse(invitation.expires) > Date.now()
    ? { tone: 'wait', label: t('status_invited') }
    : { tone: 'calm', label: t('status_expired') }
}

export function instancesText({ instances }: UserRecord): string {
  if (instances === null) return t('all_instances')
  return instances
    .map((key) => boot.instances.find((one) => one.key === key)?.name ?? key)
    .join(', ')
}

export function languagesText({ languages }: UserRecord): string {
  if (languages === null) return t('all_languages')
  const names = new Intl.DisplayNames(spoken(), { type: 'language' })
  return languages
    .map((code) => (code === 'default' ? t('base_language') : (names.of(code) ?? code)))
    .join(', ')
}

export function factorsText({ factors }: UserRecord): string {
  if (factors.length === 0) return t('factors_none')
  return factors.map((kind) => t(`factor_${kind}`)).join(', ')
}
