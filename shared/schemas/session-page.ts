import { z } from 'zod'
import { checkoutView } from './checkout.ts'
import { flag, instant, instantOrNull, recordText, recordTextOrNull } from './common.ts'

const state = z
  .strictObject({
    state: z
      .enum(['FORM', 'DECLINED', 'CONFIRM', 'CHECKING', 'PENDING', 'PAID'])
      .describe(
        '`FORM`: the payer can pay. `DECLINED`: the form, with the reason above it. `CONFIRM`: the bank asks for a confirmation. `CHECKING`: the outcome is unknown. `PENDING`: it comes later. `PAID`: the receipt.',
      ),
    at: instant.describe('Since when the page was in this state.'),
    notice: recordTextOrNull(
      'Id of the string above the form; null if there is none.',
      'errors.declined',
    ),
    result: checkoutView.shape.result.describe(
      'What the page showed of the attempt, without ids and links; null for `FORM` and `DECLINED`.',
    ),
  })
  .meta({ id: 'PageState', description: 'A state of the page of a checkout session.' })

export const sessionPage = z
  .strictObject({
    states: z.array(state).describe('The states that the page was in, oldest first.'),
    checkout: checkoutView.describe(
      'The page with its form, in the wording of the session. Methods are those of today, and stored methods are left out.',
    ),
    terms_changed: flag.describe(
      'Whether the terms of the link have changed since the session showed them, so that `checkout` has the new ones.',
    ),
    test_mode: flag.describe('Whether the page shows that it takes no real money.'),
    logo: recordTextOrNull('https URL of the logo, as it is today; null if there is none.'),
    css: recordText(
      'Style sheet of the theme, as it is today; empty for the default theme.',
      ':root{--accent:#0b6b4f}',
    ),
    kept_until: instantOrNull.describe(
      'When the session and its wording are deleted; null while it has not ended.',
    ),
  })
  .meta({ id: 'SessionPage', description: 'The page of a checkout session as its payer saw it.' })

export type SessionPage = z.output<typeof sessionPage>
export type PageState = SessionPage['states'][number]

export const sessionPageResponse = z.strictObject({ page: sessionPage })
