import type { FrameLocator } from '@playwright/test'
import { pay } from './live-scenes.ts'
import { STRIPE_CARD_MODEL, STRIPE_MODEL, STRIPE_SAVED_MODEL } from '../scenes/models.ts'
import type { PageOrFrame, Scene } from './scene.ts'

/** The states of a page that has connected Stripe. */

/** The frames of Stripe have loaded. */
export const FRAMES_READY = '.framed[aria-busy=false]'

const input = (place: PageOrFrame, field: string): ReturnType<FrameLocator['locator']> =>
  place.frameLocator(`#field-${field} iframe`).locator('input')

/** Enters a card in the frames. */
async function fillFrames(place: PageOrFrame, number = '4242424242424242'): Promise<void> {
  await place.locator(FRAMES_READY).first().waitFor()
  await input(place, 'number').fill(number)
  await input(place, 'expiry').fill('1234')
  await input(place, 'csc').fill('123')
}

const choose = (type: string) => async (place: PageOrFrame) => {
  await place.locator(`input[value="pr_gallery-${type}"]`).check()
}

/** By the name of the picture. */
export const STRIPE_SCENES: Readonly<Record<string, Scene>> = {
  'stripe-card': { model: STRIPE_CARD_MODEL, stripe: 'SHOWN', until: FRAMES_READY },
  'stripe-card-filled': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    act: fillFrames,
    until: '.brands > :only-child',
  },
  'stripe-card-errors': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    async act(place) {
      await fillFrames(place, '4242424242424241')
      await input(place, 'csc').fill('')
      await pay(place)
    },
    until: '#field-number-error',
  },
  'stripe-fields-blocked': {
    model: STRIPE_MODEL,
    stripe: 'BLOCKED',
    until: '.framed-blocked',
  },
  'stripe-saved': { model: STRIPE_SAVED_MODEL, stripe: 'SHOWN', until: FRAMES_READY },
  'stripe-debit': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    act: choose('DIRECT_DEBIT'),
    until: '#field-iban',
  },
  'stripe-debit-errors': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    async act(place) {
      await choose('DIRECT_DEBIT')(place)
      await place.locator('#field-iban').fill('DE89 3704 0044 0532 0130 01')
      await pay(place)
    },
    until: '#field-iban-error',
  },
  'stripe-redirect': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    act: choose('IDEAL'),
    until: '.method-fields > .note',
  },
  'stripe-redirect-errors': {
    model: STRIPE_MODEL,
    stripe: 'SHOWN',
    async act(place) {
      await choose('IDEAL')(place)
      await pay(place)
    },
    until: '#field-first-name-error',
  },
}
