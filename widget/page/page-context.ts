import { computed, type ReadonlySignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Checkout } from './checkout.ts'
import type { Form } from './form.ts'
import { createLocale, type Locale } from './locale.ts'

export interface PayPage {
  checkout: Checkout
  form: Form
  submit: () => void
  /** The translator and the formatters of the checkout's language. */
  locale: ReadonlySignal<Locale>
}

export const PageContext = createContext<PayPage | undefined>(undefined)

export function createPage(checkout: Checkout, form: Form, submit: () => void): PayPage {
  return { checkout, form, submit, locale: computed(() => createLocale(checkout)) }
}

/** The page with its locale, for every component. */
export function usePage() {
  const page = useContext(PageContext)!
  return { ...page, ...page.locale.value }
}
