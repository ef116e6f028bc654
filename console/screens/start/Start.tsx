import { useState } from 'preact/hooks'
import { currencyDigits } from '../../../shared/rules/currency-digits.ts'
import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import { useInstance } from '../../address.ts'
import { useAction } from '../../api/action.ts'
import { request } from '../../api/request.ts'
import { Button } from '../../ui/Button.tsx'
import { PagePreview } from '../../preview/PagePreview.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Banner, errorTitle } from '../../ui/States.tsx'
import { currencyOptions } from '../links/currencies.ts'
import { emptyDraft, previewOf } from '../links/link-draft.ts'
import { t } from '../links/links-words.ts'
import { readTyped } from '../../ui/amounts.ts'
import { copyLater } from './copy-later.ts'
import { StartDone } from './StartDone.tsx'
import { StartFrame } from './StartFrame.tsx'

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
  // A phone shows the form alone, so it does not load the frame.
  const [isWide] = useState(() => matchMedia('(min-width: 1000px)').matches)
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
  if (made) return <StartDone link={made.link} copied={made.copied} />
  return (
    <StartFrame
      aside={
        isWide && (
          <PagePreview
            theme={{ accent: color }}
            link={previewOf({ ...emptyDraft(currency), name: what, amount: typed }, name)}
            merchant={name}
            currency={currency}
          />
        )
      }
    >
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
      <ul class="start-other">
        <li>
          <a href={instance.screen('/developers/keys')}>
            <Icon name="terminal" />
            <span>
              {t('start_code')}
              <small>{t('start_code_hint')}</small>
            </span>
            <Icon name="chevron-right" />
          </a>
        </li>
      </ul>
      <a href={instance.screen('/links')}>{t('start_skip')}</a>
    </StartFrame>
  )
}
