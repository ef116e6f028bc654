import { useMemo, useState } from 'preact/hooks'
import type { PageModel } from '../../../shared/page-model.ts'
import type { PreviewDrawing } from '../../../shared/preview-messages.ts'
import { numberStyle } from '../../../shared/rules/number-style.ts'
import type { PageState, SessionPage } from '../../../shared/schemas/session-page.ts'
import { useInstance } from '../../address.ts'
import { useResource } from '../../api/resource.ts'
import { Preview } from '../../preview/Preview.tsx'
import { type Device, PreviewTools, type Scheme } from '../../preview/PreviewTools.tsx'
import { Section } from '../../ui/Details.tsx'
import { Segmented } from '../../ui/Field.tsx'
import { Banner, ErrorPanel, Skeleton } from '../../ui/States.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { t } from './checkouts-words.ts'
import './checkouts.css'

/** The page of a session in each state that it passed, in the wording that its payer saw. */
export function PageAsSeen({ checkout }: { checkout: string }) {
  const { api } = useInstance()
  const { data, error, reload } = useResource<{ page: SessionPage }>(
    api(`/checkouts/${checkout}/page`),
  )
  return (
    <Section title={t('page')}>
      {data ? (
        <States page={data.page} />
      ) : error?.status === 410 ? (
        <p class="muted">{t('page_gone')}</p>
      ) : error ? (
        <ErrorPanel error={error} retry={reload} />
      ) : (
        <Skeleton />
      )}
    </Section>
  )
}

function States({ page }: { page: SessionPage }) {
  const { timezone } = useInstance()
  const [chosen, setChosen] = useState(page.states.length - 1)
  const [device, setDevice] = useState<Device>('phone')
  const [scheme, setScheme] = useState<Scheme>('light')
  const state = page.states[chosen] ?? page.states[0]
  const drawing = useMemo(() => state && drawingOf(page, state, scheme), [page, state, scheme])
  if (!state || !drawing) return null
  return (
    <div class="page-as-seen">
      <Segmented
        label={t('page_state')}
        value={String(page.states.indexOf(state))}
        options={page.states.map((each, at) => ({
          value: String(at),
          label: t(`state_${each.state}`),
        }))}
        onChange={(at) => setChosen(Number(at))}
      />
      {page.terms_changed && <Banner tone="wait">{t('page_terms')}</Banner>}
      <p class="muted">
        {formatTime(state.at, timezone)} · {t('page_look')}
        {page.kept_until !== null &&
          ` ${t('page_kept', { date: formatTime(page.kept_until, timezone) })}`}
      </p>
      <div class="page-preview-tools">
        <PreviewTools device={device} scheme={scheme} onDevice={setDevice} onScheme={setScheme} />
      </div>
      <Preview drawing={drawing} device={device} />
    </div>
  )
}

function drawingOf(page: SessionPage, state: PageState, scheme: Scheme): PreviewDrawing {
  const { strings, language, direction, merchant, terms } = page.checkout
  return {
    scene: 'form',
    page: modelOf(page, state),
    strings,
    language,
    direction,
    merchant,
    currency: terms.currency,
    css: page.css,
    scheme,
    marked: [],
    chosen: null,
    own: [],
    stale: [],
  }
}

const STATUS = {
  FORM: 'OPEN',
  DECLINED: 'OPEN',
  CONFIRM: 'SUBMITTED',
  CHECKING: 'SUBMITTED',
  PENDING: 'PENDING',
  PAID: 'COMPLETED',
} as const

/** Returns what the page was made of. Its frame can ask no other host for a logo. */
function modelOf({ checkout, test_mode }: SessionPage, shown: PageState): PageModel {
  const { state, notice, result } = shown
  return {
    view: result === null ? 'FORM' : 'RESULT',
    sessions: null,
    test_mode,
    logo: null,
    languages: [],
    embed_origins: [],
    notice,
    number_style: numberStyle(checkout.language),
    checkout: { ...checkout, status: STATUS[state], result },
  }
}
