import { type ReadonlySignal, signal } from '@preact/signals'
import type { StripeConstructor } from '@stripe/stripe-js'
import type { ComponentType } from 'preact'
import type {
  ChargeLine,
  CheckoutResult,
  CheckoutTerms,
  CheckoutView,
  OfferedMethod,
  PageModel,
  SavedMethod,
} from '../../shared/page-model.ts'
import type { TypedAmount } from '../../shared/rules/typed-amount.ts'
import type { Checkout } from './checkout.ts'
import type { FieldErrors, FieldSignals, FormInput, SubmittableForm } from './fields.ts'
import type { MethodAdapter, Tokenized } from './methods/method-adapter.ts'
import type { Locale } from './locale.ts'
import type { Milestones } from './milestones.ts'
import type { Progress } from './record-progress.ts'
import type { Screen } from './screen.ts'
import type { MessageDescriptor } from './translator.ts'

/** Has payment methods of the page. */
interface MethodChunk {
  /** Undefined for a type that the page cannot take. */
  adapter: (type: string) => MethodAdapter | undefined
  MethodFields: ComponentType<{ offered: OfferedMethod }>
}

export interface PresetsProps {
  presets: string[]
  /** One of `presets`, `other`, or an empty text before a choice. */
  chosen: string
  other: string
  /** The field for another amount. */
  OwnAmount: ComponentType
}

/** What sentences about a contract are made of. */
export interface ContractPage extends Locale {
  checkout: Checkout
  form: { amount: ReadonlySignal<string | null> }
}

export interface QuantityProps {
  quantity: number
  readQuantity: Chunks['terms']['readQuantity']
}

/**
 * The modules that are loaded on demand, and what each exports. They are declared here, not derived
 * from the modules, which import this registry.
 */
export interface Chunks {
  /** The screens other than the form. */
  result: { ResultScreen: ComponentType<{ screen: ResultScreenState }> }
  /** The payment methods, validation and payment. */
  pay: MethodChunk & {
    /** What other chunks need of it. An import would wrap all of its exports. */
    looksLikeEmail: (text: string) => boolean
    ibanOf: (text: string) => string
    TestCards: ComponentType
    submitPayment: (
      checkout: Checkout,
      form: SubmittableForm,
      confirmed: CheckoutView,
    ) => Promise<void>
    newAttemptKey: () => string
    recordProgress: (milestones: Milestones, progress: Progress) => void
    checkForm: (input: FormInput, checkout: CheckoutView, now: number) => FieldErrors
  }
  /** The terms that the payer may enter: amount, reference and comment. */
  terms: {
    AmountField: ComponentType
    ReferenceFields: ComponentType
    readAmount: (values: FieldSignals, checkout: CheckoutView, model: PageModel) => TypedAmount
    readQuantity: (text: string, terms: CheckoutTerms) => number
    checkRange: (amount: string, checkout: CheckoutView) => MessageDescriptor | undefined
  }
  /** Suggested amounts and the quantity. */
  choice: {
    Presets: ComponentType<PresetsProps>
    Quantity: ComponentType<QuantityProps>
  }
  /** The footer that says who is paid. */
  entity: { LegalEntity: ComponentType }
  /** The charges that a payment is for, and the contract that it begins. */
  owed: {
    Owed: ComponentType
    ChargeList: ComponentType<{ charges?: ChargeLine[] | undefined }>
    consentText: (page: ContractPage) => string | undefined
    /** The price of a free trial in words; undefined for other links. */
    trialPrice: (page: ContractPage) => string | undefined
    contractRows: (
      page: ContractPage,
      result: CheckoutResult,
    ) => [label: string, value: string | null][]
  }
  /** Phone and address. */
  address: { Address: ComponentType }
  /** A card that is entered in frames of its processor. */
  'framed-card': MethodChunk & {
    FramedCode: ComponentType<{ saved: SavedMethod }>
    checkFields: () => FieldErrors
    tokenizeCode: (id: string) => Promise<Tokenized>
    loadStripe: (url: string) => Promise<StripeConstructor>
    forgetStripe: () => void
  }
  /** The methods of a bank that a connected processor offers. */
  'bank-methods': MethodChunk
  'saved-methods': {
    SavedMethodLabel: ComponentType<{ saved: SavedMethod }>
    SavedMethodFields: ComponentType<{ saved: SavedMethod }>
    checkSecurityCode: (saved: SavedMethod, code: string) => FieldErrors
    /** Offers to remove the method that this session saved. */
    SavedMethodNotice: ComponentType
  }
}

export type ChunkName = keyof Chunks
export type ResultScreenState = Exclude<Screen, { kind: 'form' }>

const loaded = signal<Partial<Chunks>>({})

/** A chunk, or undefined until it is loaded; components that read it render again then. */
export function chunk<Name extends ChunkName>(name: Name): Chunks[Name] | undefined {
  return loaded.value[name]
}

export function registerChunk<Name extends ChunkName>(name: Name, module: Chunks[Name]): void {
  loaded.value = { ...loaded.value, [name]: module }
}
