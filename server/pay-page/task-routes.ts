import { z } from 'zod'
import {
  changeTaskContractRequest,
  openTaskRequest,
  openTaskResponse,
  saveTaskMethodRequest,
  taskResponse,
} from '../../shared/schemas/deep-link-task.ts'
import { flatError, nestedError } from '../../shared/schemas/error-bodies.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { withClockOf } from '../clock.ts'
import { changeTaskContract } from '../deep-link-tasks/change-contract.ts'
import { saveTaskMethod } from '../deep-link-tasks/save-method.ts'
import {
  getTaskLink,
  isTask,
  openTask,
  resumeTask,
  type TaskSession,
} from '../deep-link-tasks/session.ts'
import { buildTask } from '../deep-link-tasks/view.ts'
import { findDeepLink } from '../deep-links/store.ts'
import type { Deps } from '../deps.ts'
import { PAYER_BODY_BYTES_MAX } from '../http/body.ts'
import type { Route, Router } from '../http/router.ts'
import type { PageRenderer } from './document.ts'
import { createPageResponder } from './respond.ts'
import { buildTaskView } from './task-page.ts'
import { chooseLanguage, getOfferedLanguages } from '../strings/languages.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The customer's session; set from its token, on the routes of tasks only. */
    task: TaskSession
  }
}

/** Routes of a customer who does the task of a deep link. */

const open = {
  method: 'post',
  path: '/go/:id/sessions',
  tag: 'payer',
  operation: 'open_task',
  summary: 'Open the task of a deep link',
  description:
    'Opens a session on the task of a customer and returns its token. One browser has the session at a ' +
    'time; it ends half an hour after its last request.',
  params: z.object({ id: z.string().meta({ description: 'The id of the deep link.' }) }),
  body: openTaskRequest,
  bodyOptional: true,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: {
    200: openTaskResponse,
    400: nestedError,
    404: nestedError,
    410: nestedError,
    429: nestedError,
  },
} as const satisfies Route

const current = {
  method: 'get',
  path: '/go/sessions/current',
  tag: 'payer',
  operation: 'get_task',
  summary: 'Get the task of the session',
  description: 'Returns the task of the token as it is now.',
  responses: { 200: taskResponse, 401: flatError, 410: nestedError },
} as const satisfies Route

const saveMethod = {
  method: 'post',
  path: '/go/sessions/current/payment_method',
  tag: 'payer',
  operation: 'save_task_payment_method',
  summary: 'Save a payment method',
  description:
    'Saves a payment method of the customer without a payment. It becomes the default of the account ' +
    'and, where the task has a contract, its method. The same attempt_key saves nothing twice.',
  body: saveTaskMethodRequest,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: {
    200: taskResponse,
    400: nestedError,
    401: flatError,
    410: nestedError,
    429: nestedError,
  },
} as const satisfies Route

const changeContract = {
  method: 'post',
  path: '/go/sessions/current/contract',
  tag: 'payer',
  operation: 'change_task_contract',
  summary: 'Cancel, pause or resume the contract',
  description: 'Changes the contract of the task, where the deep link allows it.',
  body: changeTaskContractRequest,
  bodyBytesMax: PAYER_BODY_BYTES_MAX,
  responses: { 200: taskResponse, 400: nestedError, 401: flatError, 410: nestedError },
} as const satisfies Route

export function taskRoutes(router: Router, deps: Deps, renderPage: PageRenderer): void {
  const respond = createPageResponder(deps.config, renderPage)

  // The other deep links have a page of their own at this address.
  router.app.get('/go/:id', async (c, next) => {
    const link = await findDeepLink(deps.db, c.req.param('id'))
    if (!link || !isTask(link)) return next()
    const requested = c.req.query('lang') ?? c.req.query('language')
    const accepted = c.req.header('accept-language')
    const request = { handle: c.req.query('st'), preferences: { requested, accepted } }
    return respond(c, await buildTaskView(deps, link.id, request))
  })

  // Authorization is checked before the body is read, which costs more.
  router.app.use('/go/sessions/current/*', async (c, next) => {
    const task = await resumeTask(deps, c.req.header('authorization'))
    c.set('task', task)
    await withClockOf(task.instance, next)
  })

  router.on(open, async (c, { params, body }) => {
    const { instance } = await getTaskLink(deps, params.id)
    const language = chooseLanguage(
      { requested: body?.language ?? undefined, accepted: c.req.header('accept-language') },
      await getOfferedLanguages(deps, instance),
    )
    return withClockOf(instance, async () => {
      const opened = await openTask(deps, params.id, { ...body, language }, clientInfo(c))
      if ('freeAt' in opened) {
        return c.json({
          status: 'IN_USE',
          token: null,
          free_at: opened.freeAt,
          task: null,
        } as const)
      }
      const task = await buildTask(deps, opened)
      return c.json({ status: 'OPEN', token: opened.token, free_at: null, task } as const)
    })
  })

  router.on(current, async (c) => c.json({ task: await buildTask(deps, c.get('task')) }))

  router.on(saveMethod, async (c, { body }) => {
    await saveTaskMethod(deps, c.get('task'), body, clientInfo(c))
    return c.json({ task: await buildTask(deps, c.get('task')) })
  })

  router.on(changeContract, async (c, { body }) => {
    await changeTaskContract(deps, c.get('task'), body.change)
    return c.json({ task: await buildTask(deps, c.get('task')) })
  })
}
