import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useInstance } from '../../address.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { formatMoney } from '../../ui/Money.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { ErrorPanel } from '../../ui/States.tsx'
import { Ago } from '../../ui/Time.tsx'
import { usePermissions } from '../permissions.ts'
import { type Entry, ownEntries, resultEntry, statusOf } from './entries.ts'
import { paletteOpen } from './open-palette.ts'
import { t } from './palette-words.ts'
import './palette.css'
import { remember } from './recent.ts'
import { useSearch } from './use-search.ts'

/** The search over everything: a combobox whose options are records, screens and actions. */
export function Palette() {
  const instance = useInstance()
  const { route } = useLocation()
  const permitted = usePermissions()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const typed = text.trim()
  const found = useSearch(typed)
  const groups = [
    {
      label: t('found'),
      entries: found.results.map((result) => resultEntry(result, instance)),
    },
    ...ownEntries(typed, instance, permitted),
  ].filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)
  const chosen = Math.min(at, entries.length - 1)
  const close = () => {
    paletteOpen.value = false
  }

  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, entries.length])

  const open = ({ href, title, result }: Entry, inNewTab: boolean) => {
    if (result && result.kind !== 'refund') remember({ href, title })
    if (inNewTab) window.open(href, '_blank', 'noopener')
    else {
      close()
      route(href)
    }
  }
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (chosen + 1) % entries.length,
      ArrowUp: (chosen + entries.length - 1) % entries.length,
      PageDown: entries.length - 1,
      PageUp: 0,
    }
    const next = steps[event.key]
    if (next !== undefined && entries.length > 0) {
      event.preventDefault()
      setAt(next)
    }
    // The results of what was typed before are no answer to what is typed now.
    const entry = entries[chosen]
    if (event.key === 'Enter' && !event.isComposing && entry && !found.busy) {
      event.preventDefault()
      open(entry, event.ctrlKey || event.metaKey)
    }
  }

  const optionId = (entry: Entry) => `${id}-${entries.indexOf(entry)}`
  const isEmpty = typed !== '' && entries.length === 0 && !found.busy && !found.error
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t('search')}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div class="palette-box">
        <div class="palette-field">
          <Icon name={found.busy ? 'loader-circle' : 'search'} size={18} />
          <input
            type="text"
            role="combobox"
            inputMode="search"
            enterKeyHint="go"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={200}
            aria-label={t('search')}
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={entries[chosen] ? optionId(entries[chosen]) : undefined}
            placeholder={t('hint')}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={press}
          />
          <IconButton icon="x" label={t('close')} onClick={close} />
        </div>
        {found.error && <ErrorPanel error={found.error} retry={found.retry} />}
        <div
          class="palette-list"
          role="listbox"
          id={`${id}-list`}
          aria-label={t('search')}
          aria-busy={found.busy}
          ref={list}
        >
          {groups.map((group) => (
            <div role="group" aria-label={group.label} key={group.label}>
              <p aria-hidden="true">{group.label}</p>
              {group.entries.map((entry) => (
                <a
                  key={entry.href}
                  id={optionId(entry)}
                  role="option"
                  tabIndex={-1}
                  href={entry.href}
                  aria-selected={entries[chosen] === entry}
                  onMouseMove={() => setAt(entries.indexOf(entry))}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    open(entry, false)
                  }}
                >
                  <Option entry={entry} />
                </a>
              ))}
            </div>
          ))}
        </div>
        {isEmpty && (
          <p class="palette-empty">{t('nothing', { text: typed, instance: instance.name })}</p>
        )}
        <p class="visually-hidden" role="status">
          {found.busy
            ? t('searching')
            : typed !== '' && t('results', { count: found.results.length })}
        </p>
      </div>
    </dialog>
  )
}

function Option({ entry: { icon, title, detail, result } }: { entry: Entry }) {
  const amount =
    result && result.amount !== null && result.currency !== null
      ? formatMoney(result.amount, result.currency)
      : undefined
  return (
    <>
      <Icon name={icon} size={18} />
      <span class="palette-text">
        <span>{title}</span>
        {detail && <small>{detail}</small>}
      </span>
      {result && (
        <span class="palette-end">
          {amount && <span class="number">{amount}</span>}
          <small>
            <Pill tone={statusOf(result).tone}>{statusOf(result).label}</Pill>{' '}
            <Ago at={result.created} />
          </small>
        </span>
      )}
    </>
  )
}
