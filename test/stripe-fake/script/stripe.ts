import type { Stripe, StripeElementChangeEvent, StripeElementStyle } from '@stripe/stripe-js'

/**
 * A stand-in for Stripe.js with the part that the page uses. Its fields are documents of its own origin
 * in frames, so that the page cannot read them.
 */

type Kind = 'cardNumber' | 'cardExpiry' | 'cardCvc' | 'controller'

interface Options {
  style?: StripeElementStyle
  placeholder?: string
  disabled?: boolean
}

type Listener = (event: object) => void

/** Switches that a test writes before the script. */
interface Switches {
  standIn?: { loadError?: boolean; noToken?: boolean }
}

const own = document.currentScript as HTMLScriptElement
const origin = new URL(own.src).origin
const switches = (window as Switches).standIn ?? {}
const TITLES = {
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
  controller: '',
}

let asked = 0

class FakeElement {
  readonly #frame = document.createElement('iframe')
  readonly #listeners = new Map<string, Listener[]>()
  readonly #answers = new Map<number, (answer: never) => void>()
  readonly #loaded = Promise.withResolvers<void>()
  readonly #kind: Kind
  #options: Options
  #box: Element | undefined

  constructor(kind: Kind, options: Options, locale: string) {
    this.#kind = kind
    this.#options = options
    const page = switches.loadError ? 'missing.html' : 'field.html'
    this.#frame.src = `${origin}/${page}#${new URLSearchParams({ kind, locale })}`
    this.#frame.title = TITLES[kind]
    this.#frame.allow = 'payment *'
    Object.assign(this.#frame.style, {
      border: '0',
      width: '100%',
      height: '24px',
      display: 'block',
      margin: '0',
    })
    addEventListener('message', (event) => {
      if (event.source === this.#frame.contentWindow && event.origin === origin) {
        this.#receive(event.data)
      }
    })
    this.#frame.addEventListener('load', () => {
      if (switches.loadError) this.#emit('loaderror', { error: { type: 'api_connection_error' } })
    })
  }

  on(type: string, listener: Listener): this {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
    return this
  }

  mount(box: HTMLElement): void {
    this.#box = box
    box.classList.add('StripeElement', 'StripeElement--empty')
    box.replaceChildren(this.#frame)
  }

  update(options: Options): void {
    this.#options = { ...this.#options, ...options }
    this.#send({ type: 'options', options: this.#options })
  }

  focus(): void {
    this.#frame.focus()
    this.#send({ type: 'focus' })
  }

  clear(): void {
    this.#send({ type: 'clear' })
  }

  destroy(): void {
    this.#frame.remove()
    this.#box?.classList.remove('StripeElement', 'StripeElement--empty', 'StripeElement--focus')
  }

  /** Asks the frame, which alone knows what was typed, for a method or a token. */
  exchange<T>(path: string, members: object, key: string): Promise<T> {
    asked += 1
    const id = asked
    // A page may ask before the frame is there, as where a press of the pay button loads the script.
    void this.#loaded.promise.then(() => this.#send({ type: 'exchange', id, path, members, key }))
    return new Promise((resolve) => {
      if (!switches.noToken) this.#answers.set(id, resolve)
    })
  }

  #send(message: object): void {
    this.#frame.contentWindow?.postMessage(message, origin)
  }

  #emit(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }

  #receive(message: { type: string; id: number; answer: never; change: StripeElementChangeEvent }) {
    const { type } = message
    if (type === 'answer') {
      this.#answers.get(message.id)?.(message.answer)
      return
    }
    if (type === 'loaded') {
      this.#loaded.resolve()
      this.#send({ type: 'options', options: this.#options })
    }
    if (type === 'focus' || type === 'blur') {
      this.#box?.classList.toggle('StripeElement--focus', type === 'focus')
    }
    this.#emit(type, type === 'change' ? message.change : { elementType: this.#kind })
  }
}

type Called = Pick<Stripe, 'createPaymentMethod' | 'createToken' | 'elements'>

/** Returns an invisible frame, for what is not typed in a field. */
function mountController(): FakeElement {
  const box = document.createElement('div')
  box.hidden = true
  document.body.append(box)
  const element = new FakeElement('controller', {}, 'auto')
  element.mount(box)
  return element
}

function createStripe(key: string): Called {
  const controller = mountController()
  return {
    elements: (options?: { locale?: string }) => ({
      create: (kind: Kind, given: Options) =>
        new FakeElement(kind, given, options?.locale ?? 'auto'),
    }),
    createPaymentMethod: ({ card, ...members }: { card?: unknown }) =>
      ((card ?? controller) as FakeElement).exchange('/v1/payment_methods', members, key),
    createToken: (_type: string, element: unknown) =>
      (element as FakeElement).exchange('/v1/tokens', {}, key),
  } as unknown as Called
}

Object.assign(window, { Stripe: createStripe })
