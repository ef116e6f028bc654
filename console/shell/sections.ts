import type { Permission } from '../../shared/rules/permissions.ts'
import { t } from './common-words.ts'

export interface Section {
  /** The first segment of its addresses; empty for that of the instance itself. */
  path: string
  label: string
  icon: string
  /** The key after `G` that opens it. */
  key: string
  /** What one has to be allowed to see it; undefined if everybody may. */
  needs?: Permission
}

/** The sections in the order of the sidebar, in groups. */
export const SECTIONS: readonly { title?: string; sections: readonly Section[] }[] = [
  {
    sections: [
      { path: '', label: t('home'), icon: 'house', key: 'H' },
      { path: 'links', label: t('links'), icon: 'link', key: 'L', needs: 'payment_links:read' },
      {
        path: 'payments',
        label: t('payments'),
        icon: 'credit-card',
        key: 'P',
        needs: 'payments:read',
      },
      { path: 'customers', label: t('customers'), icon: 'users', key: 'C', needs: 'accounts:read' },
      { path: 'charges', label: t('charges'), icon: 'calendar', key: 'D', needs: 'charges:read' },
      {
        path: 'checkouts',
        label: t('checkouts'),
        icon: 'funnel',
        key: 'K',
        needs: 'payment_links:read',
      },
    ],
  },
  {
    title: t('nav_page'),
    sections: [
      {
        path: 'wording',
        label: t('wording'),
        icon: 'case-sensitive',
        key: 'W',
        needs: 'strings:read',
      },
      { path: 'look', label: t('look'), icon: 'palette', key: 'B', needs: 'instances:read' },
    ],
  },
  {
    title: t('nav_setup'),
    sections: [
      {
        path: 'developers',
        label: t('developers'),
        icon: 'code-xml',
        key: 'V',
        needs: 'webhooks:read',
      },
      {
        path: 'settings',
        label: t('settings'),
        icon: 'settings',
        key: 'S',
        needs: 'instances:read',
      },
    ],
  },
]
