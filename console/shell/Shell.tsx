import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { lazy, useLocation } from 'preact-iso'
import { permissionsOfRole } from '../../shared/rules/roles.ts'
import { screenPath, useInstance } from '../address.ts'
import { countedBeside } from '../attention-screens.ts'
import { listenToEvents } from '../api/live-events.ts'
import { boot } from '../boot.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { Menu } from '../ui/Menu.tsx'
import { isSmallScreen, usePainted } from '../ui/first-frame.ts'
import { toasts } from '../ui/toast.ts'
import { useAttention, useFreshAttention } from './attention.ts'
import { t } from './common-words.ts'
import { online } from './online.ts'
import { paletteOpen, usePaletteKeys } from './palette/open-palette.ts'
import { useRecent } from './palette/recent.ts'
import { SECTIONS } from './sections.ts'
import { otherModePath } from './other-mode.ts'
import { shortcutsOpen, useShortcuts } from './shortcuts.ts'
import './shell.css'

const ShortcutsDialog = lazy(() =>
  import('./ShortcutsDialog.tsx').then((part) => part.ShortcutsDialog),
)
const Palette = lazy(() => import('./palette/Palette.tsx').then((part) => part.Palette))

/** The frame of every screen of an instance: sidebar, content, messages. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { mode, key } = useInstance()
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const isPainted = usePainted()
  const main = useRef<HTMLElement>(null)
  useShortcuts()
  usePaletteKeys()
  useRecent()
  useFreshAttention()
  useEffect(() => {
    const leaving = new AbortController()
    void listenToEvents(key, leaving.signal)
    return () => leaving.abort()
  }, [key])
  useEffect(() => setOpen(false), [path])
  return (
    <div class={`shell ${mode === 'TEST' ? 'is-test' : ''} ${isOpen ? 'is-open' : ''}`}>
      <a class="skip" href="#content" onClick={() => main.current?.focus()}>
        {t('skip')}
      </a>
      <header class="topbar">
        <button
          type="button"
          class="button icon"
          aria-label={t('menu')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" size={20} />
        </button>
        <InstanceMark />
        <IconButton
          icon="search"
          label={t('search')}
          onClick={() => {
            paletteOpen.value = true
          }}
        />
      </header>
      {(isPainted || !isSmallScreen()) && <Sidebar />}
      <button
        type="button"
        class="scrim"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => setOpen(false)}
      />
      <main id="content" tabIndex={-1} aria-labelledby="screen-title" ref={main}>
        {!online.value && (
          <p class="offline" role="status">
            <Icon name="triangle-alert" /> {t('offline_bar')}
          </p>
        )}
        {children}
      </main>
      <Toasts />
      {paletteOpen.value && <Palette />}
      {shortcutsOpen.value && <ShortcutsDialog />}
    </div>
  )
}

/** As the keyboard names it. */
const SEARCH_KEYS = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

function Sidebar() {
  const { key, mode } = useInstance()
  const { path } = useLocation()
  const [, , first, section = ''] = path.split('/')
  const isOfUser = first === 'me'
  const permitted = permissionsOfRole(boot.user.role, mode)
  return (
    <aside class="sidebar" aria-label={t('sidebar')}>
      <InstanceMenu />
      <button
        type="button"
        class="search-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          paletteOpen.value = true
        }}
      >
        <Icon name="search" /> <span>{t('search')}</span> <Keys keys={SEARCH_KEYS} />
      </button>
      <nav aria-label={t('main')}>
        {SECTIONS.map(({ title, sections }) => (
          <div key={title ?? ''}>
            {title && <h2>{title}</h2>}
            <ul>
              {sections
                .filter(({ needs }) => needs === undefined || permitted.has(needs))
                .map((one) => (
                  <li key={one.path}>
                    <a
                      href={screenPath(key, one.path && `/${one.path}`)}
                      aria-current={!isOfUser && section === one.path ? 'page' : undefined}
                    >
                      <Icon name={one.icon} />
                      <span>{one.label}</span>
                      <NeedAttention section={one.path} />
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="sidebar-foot">
        <ModeSwitch />
        <UserMenu />
      </div>
    </aside>
  )
}

/** How many of a section's records need attention. */
function NeedAttention({ section }: { section: string }) {
  const { data } = useAttention()
  const count = countedBeside(section).reduce(
    (sum, kind) => sum + (data?.attention[kind]?.count ?? 0),
    0,
  )
  if (count === 0) return null
  return (
    <>
      <span aria-hidden="true" class="count ask">
        {count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}
      </span>
      <span class="visually-hidden">{t('need_attention', { count })}</span>
    </>
  )
}

const COUNT_SHOWN_MAX = 999

function InstanceMark() {
  const { name, key, currency } = useInstance()
  return (
    <span class="instance">
      <span class="instance-mark" aria-hidden="true">
        {name.match(/./u)?.[0].toUpperCase()}
      </span>
      <span>
        <b>{name}</b>
        <small>
          {key} · {currency}
        </small>
      </span>
    </span>
  )
}

function InstanceMenu() {
  return (
    <Menu
      kind="bare"
      label={t('instance_menu')}
      trigger={
        <>
          <InstanceMark />
          <Icon name="chevrons-up-down" />
        </>
      }
      items={boot.instances.map((instance) => ({
        label: `${instance.name} (${instance.key})`,
        href: screenPath(instance.key, '/'),
      }))}
    />
  )
}

function ModeSwitch() {
  const instance = useInstance()
  const other = otherModePath(instance, useLocation().path)
  return (
    <nav class="mode-switch" aria-label={t('mode')}>
      {(['TEST', 'LIVE'] as const).map((one) => {
        const label = one === 'TEST' ? t('test') : t('live')
        if (instance.mode === one) {
          return (
            <span key={one} class={`chosen ${one.toLowerCase()}`} aria-current="true">
              {label}
            </span>
          )
        }
        return other !== undefined ? (
          <a key={one} href={other}>
            {label}
          </a>
        ) : (
          <span key={one} class="missing">
            {label}
          </span>
        )
      })}
    </nav>
  )
}

function UserMenu() {
  const form = useRef<HTMLFormElement>(null)
  const { email } = boot.user
  return (
    <>
      <form ref={form} method="post" action={boot.signOut.action} hidden>
        <input type="hidden" name="token" value={boot.signOut.token} />
      </form>
      <Menu
        kind="bare"
        label={t('account', { email })}
        trigger={
          <span class="avatar" aria-hidden="true">
            {email.slice(0, 2).toUpperCase()}
          </span>
        }
        items={[
          { label: t('me'), icon: 'user', href: '/console/me' },
          {
            label: t('shortcuts'),
            icon: 'keyboard',
            run: () => {
              shortcutsOpen.value = true
            },
          },
          { label: t('sign_out'), icon: 'log-out', run: () => form.current?.submit() },
        ]}
      />
    </>
  )
}

function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, action }) => (
        <p key={id}>
          {text}
          {action && (
            <button type="button" class="button plain" onClick={action.run}>
              {action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}
