import { Dialog } from '../ui/Dialog.tsx'
import { Keys } from '../ui/Keys.tsx'
import { t } from './common-words.ts'
import { SECTIONS } from './sections.ts'
import { lettersAct, shortcutsOpen } from './shortcuts.ts'

/** Keys and what they do, by where they do it. */
const GROUPS: readonly { title: string; keys: readonly [keys: string, label: string][] }[] = [
  {
    title: t('keys_everywhere'),
    keys: [
      ['Ctrl K', t('search')],
      ['N', t('keys_new_link')],
      ['T', t('mode')],
      ['?', t('shortcuts')],
      ['Esc', t('keys_back')],
    ],
  },
  {
    title: t('keys_go'),
    keys: SECTIONS.flatMap(({ sections }) => sections).map(({ key, label }) => [`G ${key}`, label]),
  },
  {
    title: t('keys_lists'),
    keys: [
      ['/', t('search')],
      ['J K', t('keys_move')],
      ['Enter', t('keys_open')],
      ['Space', t('keys_peek')],
      ['X', t('keys_choose')],
      ['⇧ X', t('keys_choose_range')],
      ['Ctrl A', t('keys_choose_all')],
      ['C', t('copy')],
      ['E', t('keys_edit')],
    ],
  },
  {
    title: t('keys_payment'),
    keys: [
      ['R', t('keys_refund')],
      ['T', t('keys_capture')],
      ['V', t('keys_void')],
    ],
  },
  {
    title: t('wording'),
    keys: [
      ['[ ]', t('keys_state')],
      ['L', t('keys_language')],
      ['B', t('keys_branding')],
      ['S', t('keys_stale')],
      ['E', t('keys_edit')],
      ['Ctrl Z', t('keys_undo')],
      ['Ctrl Enter', t('keys_publish')],
    ],
  },
]

/** Every shortcut of the console. No single key moves money. */
export function ShortcutsDialog() {
  return (
    <Dialog
      wide
      title={t('shortcuts')}
      onClose={() => {
        shortcutsOpen.value = false
      }}
    >
      {!lettersAct() && (
        <p>
          {t('keys_off')} <a href="/console/me">{t('me')}</a>
        </p>
      )}
      {/* What scrolls can be reached by keyboard. */}
      <div class="shortcuts" role="group" aria-label={t('shortcuts')} tabIndex={0}>
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, label]) => (
                <div key={key}>
                  <dt>
                    <Keys keys={key} />
                    <span class="visually-hidden">{key}</span>
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
