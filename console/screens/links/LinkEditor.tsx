import { useEffect, useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { invalidate, useResource } from '../../api/resource.ts'
import { PagePreview } from '../../preview/PagePreview.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText, Section } from '../../ui/Details.tsx'
import { CheckField, Segmented, SelectField, TextArea, TextField } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { RadioCards } from '../../ui/Radio.tsx'
import { Banner, ErrorPanel, errorTitle, Skeleton } from '../../ui/States.tsx'
import { ScreenHead } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { currencyOptions } from './currencies.ts'
import {
  draftOf,
  type DraftProblems,
  draftProblems,
  emptyDraft,
  type LinkDraft,
  linkRequest,
  previewOf,
} from './link-draft.ts'
import { t } from './links-words.ts'
import './links.css'

/** A new payment link. Its draft stays in this browser until it is created or discarded. */
export function NewLink() {
  const { key, currency } = useInstance()
  const { query } = useLocation()
  const copied = query['from']
  return copied ? (
    <CopiedLink id={copied} />
  ) : (
    <Editor start={storedDraft(key) ?? emptyDraft(currency)} />
  )
}

function CopiedLink({ id }: { id: string }) {
  const { api, currency } = useInstance()
  const { data, error, reload } = useResource<{ payment_link: PaymentLink }>(
    api(`/payment_links/${encodeURIComponent(id)}`),
  )
  if (!data) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  return <Editor start={{ ...draftOf(data.payment_link, currency), expires: '' }} />
}

/** An existing payment link that is not paid yet. */
export function EditLink() {
  const { api, currency } = useInstance()
  const { params } = useRoute()
  const { data, error, reload } = useResource<{ payment_link: PaymentLink }>(
    api(`/payment_links/${encodeURIComponent(params['id'] ?? '')}`),
  )
  // The draft begins with the link as it was read first; a later answer must not replace what is typed.
  const [link, setLink] = useState<PaymentLink>()
  useEffect(() => {
    if (data && !link) setLink(data.payment_link)
  }, [data])
  if (!link) return error ? <ErrorPanel error={error} retry={reload} /> : <Skeleton />
  return (
    <Editor
      key={link.v}
      start={draftOf(link, currency)}
      edited={link}
      again={() => setLink(data?.payment_link)}
    />
  )
}

const DRAFT = (instance: string) => `cs.link.${instance}`

function storedDraft(instance: string): LinkDraft | undefined {
  try {
    const text = localStorage.getItem(DRAFT(instance))
    return text === null ? undefined : (JSON.parse(text) as LinkDraft)
  } catch {
    return undefined
  }
}

function Editor({
  start,
  edited,
  again,
}: {
  start: LinkDraft
  edited?: PaymentLink
  again?: () => void
}) {
  const instance = useInstance()
  const { route } = useLocation()
  const [draft, setDraft] = useState(start)
  const set = (change: Partial<LinkDraft>) => setDraft({ ...draft, ...change })
  const problems = draftProblems(draft, Date.now())
  const body = linkRequest(draft, edited?.options)
  const isNew = edited === undefined
  useEffect(() => {
    if (isNew) localStorage.setItem(DRAFT(instance.key), JSON.stringify(draft))
  }, [draft])
  const save = useAction(async (key) => {
    const { payment_link: saved } = await request<{ payment_link: PaymentLink }>(
      isNew ? 'POST' : 'PUT',
      instance.api(isNew ? '/payment_links' : `/payment_links/${edited.id}`),
      isNew ? { body, key } : { body: { mode: 'REPLACE', ...body }, key, ifMatch: edited.v },
    )
    localStorage.removeItem(DRAFT(instance.key))
    invalidate((path) => path.startsWith(instance.api('/payment_links')))
    if (isNew) toast((await copyText(saved.url)) ? t('created_toast') : t('created_toast_plain'))
    else toast(t('saved_toast'))
    route(instance.screen(`/links/${saved.id}`))
  })
  const valid = Object.keys(problems).length === 0
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter' && valid) void save.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const leave = () => {
    localStorage.removeItem(DRAFT(instance.key))
    route(instance.screen(isNew ? '/links' : `/links/${edited.id}`))
  }
  return (
    <div class="link-editor">
      <ScreenHead
        title={draft.name || t(isNew ? 'new_title' : 'edit_title')}
        back={{ label: t('title'), href: instance.screen('/links') }}
      >
        {isNew && <span class="muted">{t('draft_kept')}</span>}
        <Button kind="plain" onClick={leave}>
          {t('discard')}
        </Button>
        <Button
          kind="primary"
          keys="⌘↵"
          busy={save.busy}
          disabled={!valid}
          onClick={() => void save.run()}
        >
          {t(isNew ? 'create' : 'save_changes')}
        </Button>
      </ScreenHead>
      {save.error && (
        <div class="editor-error" role="alert">
          <Banner tone="bad">
            <b>{save.error.status === 409 ? t('changed_elsewhere') : errorTitle(save.error)}</b>{' '}
            {save.error.status !== 409 && save.error.message}
            {save.error.status === 409 && again && (
              <Button kind="plain" onClick={again}>
                {t('changed_reload')}
              </Button>
            )}
          </Banner>
        </div>
      )}
      <div class="editor-columns">
        <form class="editor-form" onSubmit={(event) => event.preventDefault()}>
          <WhatIsPaid draft={draft} set={set} problems={problems} />
          <WhoPays draft={draft} set={set} />
          <Afterwards draft={draft} set={set} problems={problems} />
          <Saving draft={draft} set={set} />
          <More draft={draft} set={set} problems={problems} />
        </form>
        <aside class="editor-aside">
          <PagePreview link={previewOf(draft, instance.name)} currency={draft.currency} />
          <Checks draft={draft} problems={problems} />
          <h3>{t('same_by_api')}</h3>
          <pre tabIndex={0}>
            {`${isNew ? 'POST /payment_links' : `PUT /payment_links/${edited.id}`}\n${JSON.stringify(body, null, 2)}`}
          </pre>
          <Button
            icon="copy"
            onClick={() =>
              void copyText(curlOf(location.origin + instance.api('/payment_links'), body))
            }
          >
            {t('copy_request')}
          </Button>
        </aside>
      </div>
    </div>
  )
}

const curlOf = (url: string, body: unknown): string =>
  `curl ${url} \\\n  -u "$SECRET_KEY:" \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`

interface PartProps {
  draft: LinkDraft
  set: (change: Partial<LinkDraft>) => void
  problems: DraftProblems
}

function WhatIsPaid({ draft, set, problems }: PartProps) {
  return (
    <Section title={t('what_is_paid')}>
      <TextField
        label={t('what_for')}
        value={draft.name}
        maxLength={255}
        onInput={(name) => set({ name })}
      />
      <div class="amount-row">
        <Segmented
          label={t('amount')}
          value={draft.amountKind}
          options={[
            { value: 'fixed', label: t('amount_fixed') },
            { value: 'suggested', label: t('amount_suggested') },
            { value: 'free', label: t('amount_free') },
          ]}
          onChange={(amountKind) => set({ amountKind })}
        />
        {draft.amountKind !== 'free' && (
          <TextField
            label={t('amount')}
            inputMode="decimal"
            autocomplete="off"
            value={draft.amount}
            error={draft.amount !== '' && problems.amount ? t('amount_wrong') : undefined}
            onInput={(amount) => set({ amount })}
          />
        )}
        <SelectField
          label={t('amount_currency')}
          value={draft.currency}
          options={currencyOptions(draft.currency)}
          onChange={(currency) => set({ currency })}
        />
      </div>
      <div class="field-pair">
        <TextField
          label={t('reference_label')}
          aside={t('reference_aside')}
          value={draft.reference}
          onInput={(reference) => set({ reference })}
        />
        <TextField
          label={t('ends_at')}
          type="datetime-local"
          value={draft.expires}
          error={problems.expires && t('check_future')}
          onInput={(expires) => set({ expires })}
        />
      </div>
      {draft.reference !== '' && (
        <CheckField
          label={t('default_reference')}
          checked={draft.referenceEditable}
          onChange={(referenceEditable) => set({ referenceEditable })}
        />
      )}
      <TextArea
        label={t('comment_above')}
        aside={t('comment_shown')}
        value={draft.intro}
        rows={2}
        onInput={(intro) => set({ intro })}
      />
    </Section>
  )
}

function WhoPays({ draft, set }: Omit<PartProps, 'problems'>) {
  return (
    <Section title={t('who_pays')}>
      <Segmented
        label={t('who_pays')}
        value={draft.who}
        options={[
          { value: 'anyone', label: t('anyone') },
          { value: 'customer', label: t('a_customer') },
          { value: 'fill_in', label: t('fill_in') },
        ]}
        onChange={(who) => set({ who })}
      />
      {draft.who === 'customer' && (
        <TextField
          label={t('customer_id')}
          hint={t('customer_id_hint')}
          value={draft.customer}
          spellcheck={false}
          onInput={(customer) => set({ customer: customer.trim() })}
        />
      )}
      {draft.who === 'fill_in' && (
        <div class="field-pair">
          <TextField
            label={t('first_name')}
            value={draft.firstName}
            onInput={(firstName) => set({ firstName })}
          />
          <TextField
            label={t('last_name')}
            value={draft.lastName}
            onInput={(lastName) => set({ lastName })}
          />
          <TextField
            label={t('email_to')}
            type="email"
            value={draft.email}
            onInput={(email) => set({ email })}
          />
        </div>
      )}
    </Section>
  )
}

function Afterwards({ draft, set, problems }: PartProps) {
  return (
    <Section title={t('afterwards')}>
      <RadioCards
        label={t('afterwards')}
        value={draft.after}
        options={[
          { value: 'receipt', label: t('after_receipt'), hint: t('after_receipt_hint') },
          { value: 'straight', label: t('after_straight') },
          { value: 'only', label: t('after_only') },
        ]}
        onChange={(after) => set({ after })}
      />
      {draft.after !== 'only' && (
        <TextField
          label={t('back_page')}
          type="url"
          hint={t('back_page_hint')}
          value={draft.successUrl}
          placeholder="https://"
          error={problems.successUrl && t('check_https')}
          onInput={(successUrl) => set({ successUrl: successUrl.trim() })}
        />
      )}
      <CheckField
        label={t('options_of_receipt')}
        checked={draft.receiptEmail}
        onChange={(receiptEmail) => set({ receiptEmail })}
      />
    </Section>
  )
}

function Saving({ draft, set }: Omit<PartProps, 'problems'>) {
  return (
    <Section title={t('saving')}>
      <Segmented
        label={t('saving')}
        value={draft.saving}
        options={[
          { value: 'payer', label: t('saving_payer') },
          { value: 'ticked', label: t('saving_ticked') },
          { value: 'always', label: t('saving_always') },
          { value: 'never', label: t('saving_never') },
        ]}
        onChange={(saving) => set({ saving })}
      />
      {draft.saving === 'ticked' ? (
        <Banner tone="wait">{t('saving_ticked_hint')}</Banner>
      ) : (
        <p class="muted">{t(`saving_${draft.saving}_hint`)}</p>
      )}
    </Section>
  )
}

function More({ draft, set, problems }: PartProps) {
  return (
    <details class="editor-more">
      <summary>{t('more_options')}</summary>
      <TextField
        label={t('channel_label')}
        hint={t('channel_hint')}
        value={draft.channel}
        onInput={(channel) => set({ channel })}
      />
      <TextArea
        label={t('state_json')}
        hint={t('state_json_hint')}
        value={draft.state}
        error={problems.state && t('state_wrong')}
        onInput={(state) => set({ state })}
      />
    </details>
  )
}

function Checks({ draft, problems }: Omit<PartProps, 'set'>) {
  const checks = [
    draft.amountKind !== 'free' &&
      draft.amount !== '' &&
      (['amount', t('check_amount', { currency: draft.currency })] as const),
    draft.after !== 'only' &&
      draft.successUrl !== '' &&
      (['successUrl', t('check_https')] as const),
    draft.expires !== '' && (['expires', t('check_future')] as const),
  ].filter((check) => check !== false)
  if (checks.length === 0) return null
  return (
    <>
      <h3>{t('checked')}</h3>
      <ul class="checks">
        {checks.map(([field, text]) => (
          <li key={field} class={problems[field] ? 'bad' : 'ok'}>
            <Icon name={problems[field] ? 'circle-alert' : 'check'} size={14} /> {text}
          </li>
        ))}
      </ul>
    </>
  )
}
