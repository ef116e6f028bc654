import { effect, signal } from '@preact/signals'
import type {
  PaymentMethodCreateParams,
  Stripe,
  StripeCardCvcElement,
  StripeCardNumberElement,
  StripeError,
} from '@stripe/stripe-js'
import type { FramedProcessor, SubmittedMethod } from '../../../../shared/page-model.ts'
import type { SetTimer } from '../../api.ts'
import type { FieldErrors, FieldValues } from '../../fields.ts'
import type { MethodAdapter, Tokenized } from '../method-adapter.ts'
import { stripeLocale, styleOf } from './appearance.ts'
import { fieldError, type FieldState, type FramedName, refusal } from './field-errors.ts'
import { forgetStripe, loadStripe } from './load-script.ts'

/** Without all fields by then, something keeps them from loading. */
const READY_MS = 10_000
/** How long a press of the pay button waits for the fields. */
const WAIT_MS = 8_000
const TOKEN_MS = 15_000

const KINDS = {
  number: 'cardNumber',
  expiry: 'cardExpiry',
  csc: 'cardCvc',
  saved_csc: 'cardCvc',
} as const

export interface FramesOptions {
  /** Undefined where the document was rendered without the processor. */
  processor: FramedProcessor | undefined
  language: string
  boxes: readonly (readonly [FramedName, HTMLElement])[]
  placeholders: Partial<Record<FramedName, string>>
  setTimer: SetTimer
  /** Reads signals. A fieldset disables the page's own inputs, but not those in frames. */
  isDisabled: () => boolean
  /** The payer has entered something. */
  onInput: (name: FramedName) => void
  onBlur: (name: FramedName) => void
}

interface FrameElement {
  mount: (box: HTMLElement) => void
  destroy: () => void
  focus: () => void
  clear: () => void
  update: (options: object) => void
  on: (event: string, act: (event: ChangeEvent) => void) => void
}

interface ChangeEvent {
  empty: boolean
  complete: boolean
  error?: { code: string } | undefined
  brand?: string
}

interface Frame extends FieldState {
  element: FrameElement
  box: HTMLElement
  style: string
  ready: boolean
}

/** The frames on the page; there is one set at a time. */
export const phase = signal<'LOADING' | 'READY' | 'BLOCKED'>('LOADING')
/** The brand of the number in the frame; '' while unknown. */
export const brand = signal('')
/** A press of the pay button waits for the fields. */
export const waiting = signal(false)

let frames = new Map<FramedName, Frame>()
let stripe: Stripe | undefined
let names: FramedName[] = []
let setTimer: SetTimer = () => () => {}

/** Fills boxes with the processor's fields. Returns what removes them and tells whether one was used. */
export function mountFields(options: FramesOptions): () => boolean {
  const { boxes, processor, language } = options
  const mounted = new Map<FramedName, Frame>()
  let removed = false
  frames = mounted
  stripe = undefined
  names = boxes.map(([name]) => name)
  setTimer = options.setTimer
  phase.value = 'LOADING'
  brand.value = ''

  const block = () => {
    if (!removed) blockFields()
  }
  const cancelLimit = setTimer(() => phase.value === 'LOADING' && block(), READY_MS)
  void start().catch(block)
  // The host page may change the color scheme by a message, which changes no media query.
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const restyle = () => void setTimeout(() => mounted.forEach(applyStyle))
  scheme.addEventListener('change', restyle)
  addEventListener('message', restyle)

  // Before a render, which gives the focus to a field that must be enabled by then.
  const stopDisabling = effect(() => {
    const disabled = options.isDisabled()
    mounted.forEach(({ element }) => element.update({ disabled }))
  })

  async function start(): Promise<void> {
    if (!processor) throw new Error()
    const Stripe = await loadStripe(processor.script)
    if (removed || phase.value !== 'LOADING') return
    const { key, account } = processor
    const locale = stripeLocale(language)
    stripe = Stripe(key, { locale, ...(account !== undefined && { stripeAccount: account }) })
    const elements = stripe.elements({ locale })
    for (const [name, box] of boxes) {
      const style = styleOf(box)
      const element = elements.create(KINDS[name] as 'cardNumber', {
        style,
        placeholder: options.placeholders[name] ?? '',
        ...(name === 'number' && { disableLink: true }),
      }) as unknown as FrameElement
      const frame: Frame = {
        element,
        box,
        style: JSON.stringify(style),
        ready: false,
        empty: true,
        complete: false,
      }
      mounted.set(name, frame)
      listen(name, frame)
      element.mount(box)
    }
  }

  function listen(name: FramedName, frame: Frame): void {
    const { element, box } = frame
    element.on('ready', () => {
      frame.ready = true
      const isReady = names.every((each) => mounted.get(each)?.ready)
      if (isReady && !removed && phase.value === 'LOADING') phase.value = 'READY'
    })
    element.on('change', ({ empty, complete, error, brand: of }) => {
      Object.assign(frame, { empty, complete, code: error?.code })
      if (of !== undefined) brand.value = of === 'unknown' ? '' : of
      options.onInput(name)
    })
    element.on('blur', () => options.onBlur(name))
    element.on('loaderror', block)
    // The keys of a frame do not reach the page.
    element.on('escape', () =>
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })),
    )
  }

  return () => {
    removed = true
    cancelLimit()
    stopDisabling()
    scheme.removeEventListener('change', restyle)
    removeEventListener('message', restyle)
    const wasUsed = [...mounted.values()].some(({ empty }) => !empty)
    mounted.forEach(({ element }) => element.destroy())
    mounted.clear()
    return wasUsed
  }
}

function applyStyle(frame: Frame): void {
  const style = styleOf(frame.box)
  const text = JSON.stringify(style)
  if (text === frame.style) return
  frame.style = text
  frame.element.update({ style })
}

export function focusField(name: FramedName): void {
  if (phase.value === 'READY') frames.get(name)?.element.focus()
}

/** A security code is entered again for every payment. */
export function clearCodes(): void {
  frames.get('csc')?.element.clear()
  frames.get('saved_csc')?.element.clear()
}

/** Returns what is wrong with the fields. Fields that still load have nothing wrong yet. */
export function checkFields(): FieldErrors {
  if (phase.value === 'BLOCKED') return blockedErrors()
  const errors: FieldErrors = {}
  if (phase.value === 'LOADING') return errors
  for (const [name, frame] of frames) {
    const id = fieldError(name, frame, brand.value)
    if (id !== null) errors[name] = { id }
  }
  return errors
}

function blockFields(): void {
  forgetStripe()
  phase.value = 'BLOCKED'
}

const blockedErrors = (): FieldErrors => ({
  [names[0] ?? 'number']: { id: 'methods.fields_blocked' },
})

/** Exchanges the card in the frames for a payment method of Stripe. */
function tokenizeCard(values: FieldValues, processor: string): Promise<Tokenized> {
  return tokenize(async (from) => {
    const card = frames.get('number')?.element as unknown as StripeCardNumberElement
    const { paymentMethod, error } = await from.createPaymentMethod({
      type: 'card',
      card,
      billing_details: billingDetails(values),
    })
    return error ?? { type: 'CARD', processor, token: paymentMethod.id }
  })
}

/** Exchanges the security code of a saved card for a token. `id` is that of the saved method. */
export function tokenizeCode(id: string): Promise<Tokenized> {
  return tokenize(async (from) => {
    const code = frames.get('saved_csc')?.element as unknown as StripeCardCvcElement
    const { token, error } = await from.createToken('cvc_update', code)
    return error ?? { id, csc_token: token.id }
  })
}

/** Nothing is charged by an exchange, so one that fails without an answer is safe to repeat. */
async function tokenize(
  exchange: (from: Stripe) => Promise<SubmittedMethod | StripeError>,
): Promise<Tokenized> {
  if (!(await isReady())) {
    blockFields()
    return { kind: 'REFUSED', errors: blockedErrors() }
  }
  const errors = checkFields()
  if (Object.keys(errors).length > 0) return { kind: 'REFUSED', errors }
  if (!stripe) return { kind: 'UNREACHABLE' }
  const outcome = await inTime(exchange(stripe), TOKEN_MS)
  if (outcome === undefined) return { kind: 'UNREACHABLE' }
  if (isError(outcome)) return refusal(outcome, names)
  return { kind: 'READY', method: outcome }
}

const isError = (outcome: SubmittedMethod | StripeError): outcome is StripeError =>
  'type' in outcome && /_error/.test(outcome.type ?? '')

/** Resolves to undefined when `promise` rejects or takes longer than `ms` milliseconds. */
function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = setTimer(() => resolve(undefined), ms)
    promise.then(resolve, () => resolve(undefined)).finally(cancel)
  })
}

/** Waits for fields that still load. */
async function isReady(): Promise<boolean> {
  if (phase.value !== 'LOADING') return phase.value === 'READY'
  waiting.value = true
  let stop = () => {}
  const settled = new Promise<boolean>((resolve) => {
    stop = effect(() => {
      if (phase.value !== 'LOADING') resolve(phase.value === 'READY')
    })
  })
  const ready = await inTime(settled, WAIT_MS)
  stop()
  waiting.value = false
  return ready ?? false
}

function billingDetails(values: FieldValues): PaymentMethodCreateParams.BillingDetails {
  const name = `${values.first_name} ${values.last_name}`.trim()
  const email = values.email.trim()
  const country = values.country.trim()
  const postal_code = values.line5.trim()
  return {
    ...(name !== '' && { name }),
    ...(email !== '' && { email }),
    ...((country !== '' || postal_code !== '') && {
      address: { ...(country !== '' && { country }), ...(postal_code !== '' && { postal_code }) },
    }),
  }
}

const CARD: MethodAdapter = {
  validate: checkFields,
  tokenize: (values, _send, _now, { processor }) => tokenizeCard(values, processor),
}

export const adapter = () => CARD
