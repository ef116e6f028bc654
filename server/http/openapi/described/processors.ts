import { z } from 'zod'
import { nestedError } from '../../../../shared/schemas/error-bodies.ts'
import type { DescribedRoute } from '../mount.ts'

/** Where the processors of merchants send their notifications. */
export const PROCESSOR_NOTICES: readonly DescribedRoute[] = [
  {
    method: 'post',
    path: '/processors/:name/webhooks/:id',
    tag: 'processor-notices',
    operation: 'receive_processor_notice',
    summary: 'Receive a notification of a processor',
    description:
      'Stripe calls it when something changed in your account there. The request is authenticated by its ' +
      'signature, and only makes the server ask the processor earlier. A notification that is sent ' +
      'again has no further effect.',
    params: z.object({
      name: z.string().meta({ description: 'Name of the processor, such as `stripe`.' }),
      id: z.string().meta({ description: 'Id of the connection; begins with `pr_`.' }),
    }),
    responses: {
      204: null,
      400: nestedError,
      404: nestedError,
      413: nestedError,
      421: nestedError,
      429: nestedError,
      500: nestedError,
      503: nestedError,
    },
  },
]
