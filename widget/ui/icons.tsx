import type { ComponentChildren } from 'preact'

/** Decorative: each stands beside a text. */
function Icon(props: { children: ComponentChildren; className?: string }) {
  return (
    <svg
      class={`icon ${props.className ?? ''}`}
      viewBox="0 0 20 20"
      width="20"
      height="20"
      aria-hidden="true"
    >
      {props.children}
    </svg>
  )
}

export const LockIcon = () => (
  <Icon>
    <rect x="4.5" y="9" width="11" height="7.5" rx="1.8" />
    <path d="M7 9V6.5a3 3 0 0 1 6 0V9" />
  </Icon>
)

export const WarningIcon = () => (
  <Icon className="small">
    <circle cx="10" cy="10" r="7.5" />
    <path d="M10 6.2v4.4M10 13.6v.1" />
  </Icon>
)

export const InfoIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7.5" />
    <path d="M10 9.4v4.4M10 6.3v.1" />
  </Icon>
)

export const CardIcon = () => (
  <Icon>
    <rect x="2.5" y="4.5" width="15" height="11" rx="2" />
    <path d="M2.5 8.2h15M5.5 12.3h3" />
  </Icon>
)

export const BankIcon = () => (
  <Icon>
    <path d="M3 8 10 3.5 17 8M4 16.5h12M5.5 8.5v5.5M10 8.5v5.5M14.5 8.5v5.5" />
  </Icon>
)

export const TransferIcon = () => (
  <Icon>
    <path d="M4 7h11m0 0-3-3m3 3-3 3M16 13H5m0 0 3-3m-3 3 3 3" />
  </Icon>
)

export const ClockIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7.5" />
    <path d="M10 5.8V10l2.8 1.8" />
  </Icon>
)

export const Spinner = () => (
  <svg class="spinner" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" stroke-width="2.4" />
  </svg>
)
