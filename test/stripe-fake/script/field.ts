/** One field of the stand-in for Stripe.js, in a document of its own. */

type Kind = 'cardNumber' | 'cardExpiry' | 'cardCvc' | 'controller'

interface Style {
  base?: Record<string, unknown>
  invalid?: { color?: string }
}

interface Message {
  type: 'options' | 'focus' | 'clear' | 'exchange'
  options: { style?: Style; placeholder?: string; disabled?: boolean }
  id: number
  path: string
  members: { billing_details?: Record<string, unknown>; sepa_debit?: { iban: string } }
  key: string
}

type FieldWindow = Window & { typed?: { kind: Kind; digits: () => string } }

const parameters = new URLSearchParams(location.hash.slice(1))
const kind = parameters.get('kind') as Kind
const input = document.querySelector('input') as HTMLInputElement
const LABELS = {
  cardNumber: 'Credit or debit card number',
  cardExpiry: 'Expiry',
  cardCvc: 'CVC',
  controller: '',
}
const digits = () => input.value.replaceAll(/\D/g, '')
let brand = 'unknown'
let style: Style = {}
;(window as FieldWindow).typed = { kind, digits }
document.documentElement.lang = parameters.get('locale') ?? 'en'
input.setAttribute('aria-label', LABELS[kind])
input.autocomplete = {
  cardNumber: 'cc-number',
  cardExpiry: 'cc-exp',
  cardCvc: 'cc-csc',
  controller: 'off',
}[kind] as AutoFill

const tell = (message: object) => parent.postMessage(message, '*')

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^5[1-5]/.test(number)) return 'mastercard'
  return /^3[47]/.test(number) ? 'amex' : 'unknown'
}

function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const doubled = Number(digit) * (at % 2 === 1 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

/** Returns Stripe's code of what is wrong, '' for an incomplete entry, and undefined for a good one. */
function problem(): string | undefined {
  const typed = digits()
  if (kind === 'cardNumber') {
    if (typed.length < (brand === 'amex' ? 15 : 16)) return ''
    return passesLuhn(typed) ? undefined : 'invalid_number'
  }
  if (kind === 'cardCvc') return typed.length < 3 ? '' : undefined
  if (typed.length < 4) return ''
  if (Number(typed.slice(0, 2)) > 12) return 'invalid_expiry_month'
  return 2000 + Number(typed.slice(2)) < new Date().getFullYear()
    ? 'invalid_expiry_year_past'
    : undefined
}

const INCOMPLETE = {
  cardNumber: 'incomplete_number',
  cardExpiry: 'incomplete_expiry',
  cardCvc: 'incomplete_cvc',
  controller: '',
}

function report({ left = false } = {}): void {
  const found = problem()
  const code = found === '' ? (left && digits() !== '' ? INCOMPLETE[kind] : undefined) : found
  const color = code === undefined ? style.base?.['color'] : style.invalid?.color
  input.style.color = typeof color === 'string' ? color : ''
  const change = {
    elementType: kind,
    empty: digits() === '',
    complete: found === undefined,
    error: code && { type: 'validation_error', code, message: 'A sentence of Stripe.' },
    ...(kind === 'cardNumber' && { brand }),
  }
  tell({ type: 'change', change })
}

function format(): void {
  const typed = digits()
  if (kind === 'cardNumber') {
    brand = brandOf(typed)
    input.value = typed.slice(0, 16).replaceAll(/(.{4})(?=.)/g, '$1 ')
  } else if (kind === 'cardExpiry') {
    input.value = typed.length > 2 ? `${typed.slice(0, 2)} / ${typed.slice(2, 4)}` : typed
  } else input.value = typed.slice(0, 4)
}

/** What is typed in another field beside this one, which only its own origin may read. */
function digitsOf(other: Kind): string {
  for (let at = 0; at < parent.frames.length; at += 1) {
    try {
      const { typed } = parent.frames[at] as FieldWindow
      if (typed?.kind === other) return typed.digits()
    } catch {
      // A frame of another origin.
    }
  }
  return ''
}

function formOf({ path, members }: Message): URLSearchParams {
  if (path === '/v1/tokens') return new URLSearchParams({ 'cvc_update[cvc]': digits() })
  const expiry = digitsOf('cardExpiry')
  const form = new URLSearchParams(
    members.sepa_debit
      ? { type: 'sepa_debit', 'sepa_debit[iban]': members.sepa_debit.iban }
      : {
          type: 'card',
          'card[number]': digits(),
          'card[exp_month]': String(Number(expiry.slice(0, 2))),
          'card[exp_year]': `20${expiry.slice(2)}`,
          'card[cvc]': digitsOf('cardCvc'),
        },
  )
  const { address, ...person } = members.billing_details ?? {}
  for (const [name, value] of Object.entries(person)) {
    form.set(`billing_details[${name}]`, String(value))
  }
  for (const [name, value] of Object.entries(address ?? {})) {
    form.set(`billing_details[address][${name}]`, String(value))
  }
  return form
}

async function exchange(message: Message): Promise<void> {
  const headers = { authorization: `Bearer ${message.key}` }
  const body = formOf(message)
  const answer = await fetch(message.path, { method: 'POST', headers, body }).then(
    async (response) => {
      const object = await response.json()
      if (!response.ok) return { error: object.error }
      return message.path === '/v1/tokens' ? { token: object } : { paymentMethod: object }
    },
    () => ({ error: { type: 'api_connection_error', message: 'No connection.' } }),
  )
  tell({ type: 'answer', id: message.id, answer })
}

addEventListener('message', ({ data, source }: MessageEvent<Message>) => {
  if (source !== parent) return
  if (data.type === 'focus') input.focus()
  if (data.type === 'exchange') void exchange(data)
  if (data.type === 'clear') {
    input.value = ''
    report()
  }
  if (data.type === 'options') {
    style = data.options.style ?? {}
    const { color, fontFamily, fontSize, textAlign } = style.base ?? {}
    Object.assign(input.style, { color, fontFamily, fontSize, textAlign })
    input.placeholder = data.options.placeholder ?? ''
    input.disabled = data.options.disabled ?? false
  }
})
input.addEventListener('input', () => {
  format()
  report()
})
input.addEventListener('focus', () => tell({ type: 'focus' }))
input.addEventListener('blur', () => {
  report({ left: true })
  tell({ type: 'blur' })
})
input.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') tell({ type: 'escape' })
})
tell({ type: 'loaded' })
tell({ type: 'ready' })
