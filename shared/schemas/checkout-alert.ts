import { z } from 'zod'
import { actorSession } from './actor-session.ts'
import { instantOrNull, relation, text } from './common.ts'

/** Alerts about checkout sessions: what they measure, and whether they are on. */

export const MEASURES = ['APPROVAL', 'CONVERSION', 'SUBMITTED', 'UNRESOLVED'] as const

const RATES: readonly (typeof MEASURES)[number][] = ['APPROVAL', 'CONVERSION']

const threshold = z.union([
  z.string().regex(/^(0(\.[0-9]{1,4})?|1(\.0{1,4})?)$/, {
    error: 'must be a rate from 0 to 1 with at most four decimals, such as "0.8"',
  }),
  z.int().min(0).max(1_000_000),
])

const members = {
  name: text(64)
    .min(1)
    .meta({ description: 'Name, unique among the alerts.', example: 'Approvals fell' }),
  measure: z.enum(MEASURES).meta({
    description:
      'What is measured of the sessions that were opened in the window. `APPROVAL`: completed ' +
      'divided by submitted. `CONVERSION`: completed divided by opened. `SUBMITTED`: how many were ' +
      'submitted. `UNRESOLVED`: how many payments that were made in the window have an unknown ' +
      'outcome.',
  }),
  window_minutes: z.int().min(5).max(1440).meta({
    description: 'How far it looks back; the window begins at a full five minutes.',
    example: 60,
  }),
}

const minimum = z.int().min(0).max(1_000_000)

const MINIMUM =
  'The alert stays as it is while fewer sessions were submitted (`APPROVAL`) or opened (others) in ' +
  'the window. A rate needs at least one. Not for `UNRESOLVED`.'

const THRESHOLD = 'A decimal string for a rate, an integer for a number. Either `below` or `above`.'

const alertInput = z
  .strictObject({
    ...members,
    below: threshold.nullish().meta({
      description: `The alert is on when the measure is below. ${THRESHOLD}`,
      example: '0.7',
    }),
    above: threshold
      .nullish()
      .meta({ description: `The alert is on when the measure is above. ${THRESHOLD}` }),
    minimum: minimum.nullish().meta({ description: `${MINIMUM} By default 0.`, example: 20 }),
  })
  .superRefine(({ measure, below, above, minimum: least }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if ((below == null) === (above == null)) {
      context.addIssue({ code: 'custom', message: 'must have either below or above' })
    }
    const isRate = RATES.includes(measure)
    for (const [name, value] of Object.entries({ below, above })) {
      if (value == null || (typeof value === 'string') === isRate) continue
      refuse(name, isRate ? 'must be a rate such as "0.8"' : 'must be an integer')
    }
    // Such an alert would never go on.
    if (below != null && Number(below) === 0) {
      refuse('below', 'must be more than 0, because nothing is below it')
    }
    if (typeof above === 'string' && Number(above) === 1) {
      refuse('above', 'must be less than 1, because no rate is above it')
    }
    if (measure === 'UNRESOLVED' && least) refuse('minimum', 'is not for UNRESOLVED')
  })
  .meta({ description: 'One alert.' })

export type AlertInput = z.output<typeof alertInput>

export const updateAlertsRequest = z
  .strictObject({
    checkout_monitor: z
      .strictObject({
        alerts: z
          .array(alertInput)
          .max(20)
          .superRefine((alerts, context) => {
            const names = new Set<string>()
            for (const [index, { name }] of alerts.entries()) {
              if (names.has(name)) {
                const message = 'must differ from the other names'
                context.addIssue({ code: 'custom', path: [index, 'name'], message })
              }
              names.add(name)
            }
          })
          .meta({ description: 'All alerts; others are removed.' }),
      })
      .meta({ description: 'The alerts.' }),
  })
  .meta({ id: 'UpdateAlerts', description: 'Body of a request that replaces the alerts.' })

const shownThreshold = z.union([z.string(), z.int()]).nullable()

export const checkoutAlert = z
  .strictObject({
    ...members,
    below: shownThreshold.meta({
      description: 'The alert is on when the measure is below; null if `above` is given.',
      example: '0.7000',
    }),
    above: shownThreshold.meta({
      description: 'The alert is on when the measure is above; null if `below` is given.',
    }),
    minimum: minimum.meta({ description: MINIMUM, example: 20 }),
    status: z.enum(['OK', 'ALERT']).meta({ description: 'Whether it is on.' }),
    changed: instantOrNull.meta({
      description: 'When the status last changed; null if it never did.',
    }),
  })
  .meta({ id: 'CheckoutAlert', description: 'An alert and whether it is on.' })

export type CheckoutAlert = z.output<typeof checkoutAlert>

export const checkoutAlerts = z
  .strictObject({
    alerts: z.array(checkoutAlert).meta({ description: 'All alerts, in the given order.' }),
    created_session: relation(actorSession).describe(
      'Actor session that first wrote the alerts; null before. Expandable.',
    ),
    updated_session: relation(actorSession).describe(
      'Actor session that last wrote them; null before. Expandable.',
    ),
    created: instantOrNull.describe('When the alerts were first written; null before.'),
    updated: instantOrNull.describe('When they were last written; null before.'),
    v: z.int().min(0).describe('Version of the alerts; grows by one with each write, 0 before.'),
  })
  .meta({ id: 'CheckoutAlerts', description: 'The alerts of an instance.' })

export type CheckoutAlerts = z.output<typeof checkoutAlerts>

export const checkoutAlertsResponse = z.strictObject({ checkout_monitor: checkoutAlerts })

/** The data of the events `checkout_monitor.alert` and `checkout_monitor.recovered`. */
export const alertChange = z
  .strictObject({
    alert: checkoutAlert,
    value: z.union([z.string(), z.int()]).meta({
      description: 'What was measured: a rate as a decimal string, or a number.',
      example: '0.6500',
    }),
    sessions: z.int().nullable().meta({
      description: 'Of how many sessions, as for `minimum`; null for `UNRESOLVED`.',
      example: 40,
    }),
  })
  .meta({ id: 'AlertChange', description: 'An alert that went on or off, and why.' })
