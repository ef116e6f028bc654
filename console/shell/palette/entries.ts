import type { Permission } from '../../../shared/rules/permissions.ts'
import type { SearchResult } from '../../../shared/schemas/search.ts'
import { type InstanceAddress, screenPath } from '../../address.ts'
import { boot } from '../../boot.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { SECTIONS } from '../sections.ts'
import { t } from './palette-words.ts'
import { recentIn } from './recent.ts'

/** What can be chosen. */
export interface Entry {
  href: string
  icon: string
  title: string
  detail?: string | undefined
  result?: SearchResult
}

export interface EntryGroup {
  label: string
  entries: Entry[]
}

/** Returns the screens and actions that match what is typed, and the recent records while nothing is. */
export function ownEntries(
  typed: string,
  instance: InstanceAddress,
  permitted: ReadonlySet<Permission>,
): EntryGroup[] {
  const sections = SECTIONS.flatMap((group) => group.sections)
    .filter(({ needs }) => needs === undefined || permitted.has(needs))
    .map(({ path, label, icon }) => ({
      href: instance.screen(path && `/${path}`),
      icon,
      title: label,
    }))
  const actions: Entry[] = permitted.has('payment_links:write')
    ? [{ href: instance.screen('/links/new'), icon: 'plus', title: t('new_link') }]
    : []
  const others = boot.instances
    .filter(({ key }) => key !== instance.key)
    .map(({ key, name }) => ({
      href: screenPath(key, '/'),
      icon: 'building',
      title: t('instance', { name, key }),
    }))
  const account = { href: '/console/me', icon: 'user', title: t('account') }
  const commands = [...actions, ...sections, account, ...others].filter(({ title }) =>
    matches(title, typed),
  )
  const recent = recentIn(instance.screen).map((each) => ({ ...each, icon: 'clock' }))
  return [
    { label: t('recent'), entries: typed === '' ? recent : [] },
    { label: t('commands'), entries: commands },
  ].filter(({ entries }) => entries.length > 0)
}

/** Whether every word that is typed begins a word of the title. */
function matches(title: string, typed: string): boolean {
  const words = title.toLowerCase().split(/\s+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}

const ICONS: Readonly<Record<SearchResult['kind'], string>> = {
  payment: 'credit-card',
  payment_link: 'link',
  deep_link: 'link',
  account: 'users',
  charge: 'calendar',
  contract: 'calendar',
  refund: 'undo-2',
}

export function resultEntry(result: SearchResult, { screen }: InstanceAddress): Entry {
  const { kind, title, detail } = result
  return {
    href: screen(pathOf(result)),
    icon: ICONS[kind],
    title,
    detail: [t(`kind_${kind}`), detail === title ? null : detail].filter(Boolean).join(' · '),
    result,
  }
}

function pathOf({ kind, id }: SearchResult): string {
  switch (kind) {
    case 'payment':
      return `/payments/${id}`
    case 'payment_link':
      return `/links/${id}`
    case 'deep_link':
      return `/links/deep/${id}`
    case 'account':
      return `/customers/${id}`
    case 'charge':
      return `/charges/${id}`
    case 'contract':
      return `/contracts/${id}`
    case 'refund':
      return `/refunds?where=${encodeURIComponent(`id=${id}`)}`
  }
}

const TONES: Readonly<Record<string, Tone>> = {
  SUCCESS: 'ok',
  PAID: 'ok',
  PAYMENT_SUCCESS: 'ok',
  PENDING: 'wait',
  PAYMENT_PENDING: 'wait',
  ACTIVE: 'news',
  SCHEDULED: 'news',
  UNRESOLVED: 'ask',
  DECLINE: 'bad',
  DECLINED: 'bad',
  INVALID_PAYMENT_METHOD: 'bad',
  UNATTRIBUTED: 'bad',
}

/** Returns the word and tone of a status of any kind. */
export function statusOf({ status }: SearchResult): { tone: Tone; label: string } {
  const id = `status_${status.toLowerCase()}`
  return { tone: TONES[status] ?? 'calm', label: t(id as 'status_active') }
}
