import { z } from 'zod'
import { commonErrors, idempotencyErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import { mailResponse, sendPaymentLinkRequest } from '../../shared/schemas/mail.ts'
import type { Deps } from '../deps.ts'
import { idempotent } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { sendLink, serializeMail } from './send-link.ts'

const send = {
  method: 'post',
  path: '/payment_links/:id/send',
  tag: 'payment-links',
  operation: 'send_payment_link',
  summary: 'Send a payment link by mail',
  description:
    'Sends a mail with the address of a payment link. The response is the queued mail: it is sent ' +
    'within seconds, and tried again for a day. Requires a server that sends mail and a link that ' +
    'can be paid.',
  params: z.object({ id: z.string() }),
  body: sendPaymentLinkRequest,
  responses: { 200: mailResponse, 429: nestedError, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function mailRoutes(router: Router, deps: Deps): void {
  router.on(send, (c, { params, body }) =>
    idempotent(deps, c, async (deps) => ({
      mail: serializeMail(await sendLink(deps, c.get('instance'), params.id, body.mail)),
    })),
  )
}
