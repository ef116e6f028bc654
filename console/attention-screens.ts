import type { AttentionKind } from '../shared/schemas/attention.ts'

interface AttentionScreen {
  /** The section beside which it is counted. */
  section: string
  icon: string
  tone: 'ask' | 'wait' | 'bad'
  /** Returns the screen that shows what was counted, from the parameters of the list. */
  href: (list: URLSearchParams) => string
}

/** Leads to a list of the console with the criteria of the API. */
const listed = (path: string) => (list: URLSearchParams) =>
  `${path}?${new URLSearchParams({ where: list.get('criteria') ?? '' }).toString()}`

/** Where the console shows what needs attention, the most urgent first. */
export const ATTENTION_SCREENS: Readonly<Record<AttentionKind, AttentionScreen>> = {
  unresolved: {
    section: 'payments',
    icon: 'message-circle-question-mark',
    tone: 'ask',
    href: listed('/payments'),
  },
  broken_processors: {
    section: 'settings',
    icon: 'circle-alert',
    tone: 'bad',
    href: () => '/settings/processors',
  },
  failing_webhooks: {
    section: 'developers',
    icon: 'circle-alert',
    tone: 'bad',
    href: () => '/developers/webhooks',
  },
  open_disputes: {
    section: 'payments',
    icon: 'triangle-alert',
    tone: 'wait',
    href: () => '/payments',
  },
  manual_refunds: {
    section: 'payments',
    icon: 'undo-2',
    tone: 'wait',
    href: listed('/refunds'),
  },
  failed_charges: {
    section: 'charges',
    icon: 'calendar',
    tone: 'wait',
    href: listed('/charges'),
  },
  links_ending: { section: 'links', icon: 'clock', tone: 'wait', href: listed('/links') },
  expiring_keys: {
    section: 'developers',
    icon: 'key-round',
    tone: 'wait',
    href: () => '/developers/keys',
  },
  owners_without_factor: {
    section: 'settings',
    icon: 'fingerprint-pattern',
    tone: 'wait',
    href: () => '/settings/users',
  },
  stale_strings: {
    section: 'wording',
    icon: 'case-sensitive',
    tone: 'wait',
    href: (list) => {
      const branding = list.get('branding')
      return `/wording?${new URLSearchParams({
        view: 'table',
        show: 'stale',
        lang: list.get('language') ?? 'default',
        ...(branding !== null && { branding }),
      }).toString()}`
    },
  },
}

/** What is counted beside a section, since money or a message is stuck there. Home has the others, too. */
const COUNTED: readonly AttentionKind[] = [
  'unresolved',
  'open_disputes',
  'manual_refunds',
  'failed_charges',
  'failing_webhooks',
  'broken_processors',
  'stale_strings',
]

/** Returns the kinds that are counted beside a section. */
export const countedBeside = (section: string): AttentionKind[] =>
  COUNTED.filter((kind) => ATTENTION_SCREENS[kind].section === section)
