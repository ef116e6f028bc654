import type { ComponentChildren } from 'preact'
import './tabs.css'
import { Count } from './Pill.tsx'

export interface Tab {
  id: string
  label: string
  href: string
  count?: number | undefined
}

/** Tabs that are addresses: Back, reload and bookmarks work. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string
  tabs: readonly Tab[]
  current: string
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label: name, href, count }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {name}
          {count !== undefined && <Count value={count} />}
        </a>
      ))}
    </nav>
  )
}

/** What stands above the content of a screen. */
export function ScreenHead({
  title,
  back,
  children,
}: {
  title: string
  /** The list that the screen belongs to. */
  back?: { label: string; href: string }
  /** Its actions. */
  children?: ComponentChildren
}) {
  return (
    <header class="screen-head">
      <div>
        {back && (
          <nav class="crumbs">
            <a href={back.href}>{back.label}</a>
          </nav>
        )}
        <h1 tabIndex={-1} id="screen-title">
          {title}
        </h1>
      </div>
      {children && <div class="screen-actions">{children}</div>}
    </header>
  )
}
