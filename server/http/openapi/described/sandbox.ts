import { z } from 'zod'
import { nestedError } from '../../../../shared/schemas/error-bodies.ts'
import { tokenRequestBody } from '../../../processors/sandbox/index.ts'
import type { DescribedRoute } from '../mount.ts'

/** Endpoints of the test processor. */

const failures = {
  400: nestedError,
  404: nestedError,
  421: nestedError,
  429: nestedError,
  500: nestedError,
  503: nestedError,
}
const params = z.object({ id: z.string().meta({ description: 'Id of the challenge.' }) })

export const SANDBOX: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/sandbox/tokens',
    tag: 'sandbox',
    operation: 'create_sandbox_token',
    summary: 'Create a token of a test card or account',
    description:
      'Turns a test card or a test account into a token, as the payment page does in the browser. ' +
      'Only the published test numbers are accepted; real ones are refused.',
    body: tokenRequestBody,
    responses: {
      200: z.strictObject({
        token: z.string().meta({ description: 'Stands for the card or account in a payment.' }),
      }),
      403: nestedError,
      413: nestedError,
      ...failures,
    },
  },
  {
    method: 'get',
    path: '/sandbox/challenges/:id',
    tag: 'sandbox',
    operation: 'open_sandbox_challenge',
    summary: 'Open a challenge',
    description:
      "Returns the page on which the payer confirms a payment, in place of a bank's page.",
    params,
    responses: { 200: 'html', ...failures, 404: 'html' },
  },
  {
    method: 'post',
    path: '/sandbox/challenges/:id',
    tag: 'sandbox',
    operation: 'answer_sandbox_challenge',
    summary: 'Answer a challenge',
    description: 'Approves or declines the payment, and goes on to the address of the merchant.',
    params,
    form: z.looseObject({
      choice: z.enum(['approve', 'decline']).meta({ description: 'Decision of the payer.' }),
    }),
    responses: { 303: null, 403: nestedError, ...failures, 400: 'html', 404: 'html' },
  },
]
