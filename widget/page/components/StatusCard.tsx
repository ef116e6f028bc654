import type { ComponentChildren } from 'preact'
import { ClockIcon, InfoIcon, Spinner } from '../../ui/icons.tsx'
import { Merchant } from './Merchant.tsx'

/** The one card of a screen without a form: a receipt, a wait or an ended link. */
export function StatusCard(props: {
  icon: keyof typeof ICONS
  title: string
  children: ComponentChildren
}) {
  return (
    <section class={`status-card ${props.icon}`} aria-labelledby="status-title">
      <Merchant />
      <div class="status-icon">{ICONS[props.icon]}</div>
      <h1 id="status-title" tabIndex={-1}>
        {props.title}
      </h1>
      {props.children}
    </section>
  )
}

const ICONS = {
  done: (
    <svg class="tick" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m5 12.5 4.6 4.6L19 7.6" fill="none" stroke="currentColor" stroke-width="2.6" />
    </svg>
  ),
  waiting: <ClockIcon />,
  busy: <Spinner />,
  info: <InfoIcon />,
}
