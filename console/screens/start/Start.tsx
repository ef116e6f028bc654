import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { currencyDigits } from '../../../shared/rules/currency-digits.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { boot } from '../../boot.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
import { t as common } from '../../shell/common-words.ts'
import { currencyOptions } from '../links/currencies.ts'
import { LinkAddress } from '../links/LinkScreen.tsx'
import { t } from '../links/links-words.ts'
import { readTyped } from '../../ui/amounts.ts'
import './start.css'

const COLORS = [
  ['#0b6b4f', 'start_color_green'],
  ['#134f86', 'start_color_blue'],
  ['#7b3fa0', 'start_color_purple'],
  ['#b3213c', 'start_color_red'],
  ['#a85b00', 'start_color_brown'],
  ['#16201c', 'start_color_black'],
] as const

/** One form, and the first link is copied. */
export function Start() {
  const instance = useInstance()
  const [name, setName] = useState(instance.name)
  const [color, setColor] = useState<string>(COLORS[0][0])
  const [what, setWhat] = useState('')
  const [typed, setTyped] = useState('')
  const [currency, setCurrency] = useState(instance.currency)
  const [made, setMade] = useState<{ link: PaymentLink; copied: boolean }>()
  const amount = readTyped(typed, currency, currencyDigits(currency))
  const create = useAction(async (key) => {
    await request<{ instance: InstanceRecord }>('PUT', instance.api(`/instances/${instance.key}`), {
      body: { instance: { name, theme: { accent: color } } },
    })
    const created = request<{ payment_link: PaymentLink }>('POST', instance.api('/payment_links'), {
      key,
      body: { payment_link: { options: { amount, currency, ...(what !== '' && { name: what }) } } },
    })
    // The address is promised to the clipboard within the press, because browsers allow it only there.
    const copied = await copyLater(created.then(({ payment_link: link }) => link.url))
    setMade({ link: (await created).payment_link, copied })
  })
  if (made) return <Done link={made.link} copied={made.copied} />
  return (
    <Frame>
      <p class="start-lead">{t('start_lead')}</p>
      <h1 tabIndex={-1} id="screen-title">
        {t('start_title')}
      </h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (amount !== undefined && name.trim() !== '') void create.run()
        }}
      >
        <TextField
          label={t('start_shop')}
          value={name}
          required
          maxLength={255}
          onInput={setName}
        />
        <fieldset class="colors">
          <legend>
            <b>{t('start_color')}</b>
          </legend>
          {COLORS.map(([value, id]) => (
            <label key={value} style={{ '--swatch': value }}>
              <input
                type="radio"
                name="color"
                aria-label={t(id)}
                checked={color === value}
                onChange={() => setColor(value)}
              />
            </label>
          ))}
          <input
            type="color"
            aria-label={t('start_other_color')}
            value={color}
            onInput={({ currentTarget }) => setColor(currentTarget.value)}
          />
        </fieldset>
        <TextField
          label={t('start_paid_for')}
          value={what}
          maxLength={255}
          autofocus
          onInput={setWhat}
        />
        <div class="start-amount">
          <TextField
            label={t('amount')}
            inputMode="decimal"
            autocomplete="off"
            required
            value={typed}
            error={typed !== '' && amount === undefined ? t('amount_wrong') : undefined}
            onInput={setTyped}
          />
          <SelectField
            label={t('amount_currency')}
            value={currency}
            options={currencyOptions(currency)}
            onChange={setCurrency}
          />
        </div>
        <p class="muted">{t('start_later')}</p>
        {create.error && (
          <div role="alert">
            <Banner tone="bad">
              {errorTitle(create.error)} {create.error.message}
            </Banner>
          </div>
        )}
        <Button
          kind="primary"
          type="submit"
          busy={create.busy}
          disabled={amount === undefined || name.trim() === ''}
        >
          {t('start_create')}
        </Button>
      </form>
      <a href={instance.screen('/links')}>{t('start_skip')}</a>
    </Frame>
  )
}

async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((url) => new Blob([url], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return false
  }
}

function Done({ link, copied }: { link: PaymentLink; copied: boolean }) {
  const { screen, mode } = useInstance()
  return (
    <Frame>
      <h1 tabIndex={-1} id="screen-title">
        {t('start_done')}
      </h1>
      <p>{t(copied ? 'start_done_copied' : 'start_done_select')}</p>
      <LinkAddress link={link} />
      <ButtonLink kind="primary" icon="external-link" href={link.url} target="_blank">
        {t('start_pay')}
      </ButtonLink>
      {mode === 'TEST' && <p class="muted">{t('start_card')}</p>}
      <h2>{t('start_next')}</h2>
      <ul class="start-next">
        <li>
          <a href={screen('/links')}>{t('start_next_links')}</a>
        </li>
        <li>
          <a href={screen('/look')}>{t('start_next_look')}</a>
        </li>
        <li>
          <a href={screen('/developers/webhooks')}>{t('start_next_webhook')}</a>
        </li>
      </ul>
    </Frame>
  )
}

function Frame({ children }: { children: ComponentChildren }) {
  const { mode } = useInstance()
  return (
    <div class="start">
      <header>
        <span class="instance-mark" aria-hidden="true">
          C
        </span>
        <b>Checkstand</b>
        <span class="muted">{boot.user.email}</span>
      </header>
      <main id="content">{children}</main>
      {mode === 'TEST' && (
        <footer>
          <Pill tone="wait" plain>
            {common('test')}
          </Pill>{' '}
          {t('start_test')}
        </footer>
      )}
    </div>
  )
}
