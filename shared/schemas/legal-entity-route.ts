import { z } from 'zod'
import { LEGAL_ENTITY_ID, LEGAL_ENTITY_ROUTE_ID, PROCESSOR_ID } from '../rules/ids.ts'
import { AMOUNT_LENGTH_MAX } from '../rules/money.ts'
import { sessionMembers } from './actor-session.ts'
import {
  country,
  currency,
  flag,
  positiveAmount,
  recordMembers,
  recordText,
  relation,
  text,
} from './common.ts'
import { legalEntity } from './legal-entity.ts'

/** Length of the list, and the highest position. */
export const ROUTES_MAX = 200

const SOURCES = ['ECOMMERCE', 'MOTO', 'RECURRING'] as const

const values = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(100).optional()

/** An amount that may be zero; decimals are checked with the currency. */
const bound = z
  .string()
  .max(AMOUNT_LENGTH_MAX)
  .regex(/^[0-9]{1,12}(\.[0-9]+)?$/, { error: 'must be a decimal amount such as "10.50"' })
  .optional()

const conditions = z
  .strictObject({
    currency: values(currency).meta({ description: 'Currencies, ISO 4217.', example: ['EUR'] }),
    country: values(country).meta({
      description:
        'Countries of the payer: as entered, else of the account, else of the card. ISO 3166-1.',
      example: ['FR', 'BE'],
    }),
    channel: values(text(64).min(1)).meta({ description: 'Sales channels.', example: ['web'] }),
    branding: values(text(63).min(1)).meta({
      description: 'Keys of brandings.',
      example: ['kids'],
    }),
    source: values(z.enum(SOURCES)).describe('Where payments come from.'),
    account_tag: values(text(255).min(1)).meta({
      description: 'Tags, of which the account has one.',
      example: ['wholesale'],
    }),
    amount: z
      .strictObject({
        from: bound.meta({ description: 'Smallest amount; any if omitted.', example: '0.00' }),
        to: bound.meta({ description: 'Largest amount; any if omitted.', example: '99.99' }),
        currency: currency.describe('Currency of both. Payments in another one do not match.'),
      })
      .optional()
      .describe('Range of the amount, both ends included.'),
  })
  .describe(
    'Conditions that must all hold. Of the values of one member, one must hold; an omitted member is no condition.',
  )

const routeMembers = {
  legal_entity: z
    .string()
    .max(255)
    .regex(LEGAL_ENTITY_ID, { error: 'must be an id that begins with le_' }),
  when: conditions,
  processor: z
    .string()
    .max(255)
    .regex(PROCESSOR_ID, { error: 'must be an id that begins with pr_' })
    .nullable()
    .meta({
      description:
        'The processor with which the legal entity settles; null for any. Payments of the route use no other.',
      example: 'pr_1893499200000_2b3c4d5e6f7g8h9i',
    }),
  enabled: flag.describe('False skips the route.'),
  description: text(1000).nullable().describe('Note of your own; null if there is none.'),
}

const ENTITY = {
  description: 'Id of an active legal entity.',
  example: 'le_1893499200000_5f6g7h8i9j0k1l2m',
}

const position = z
  .int()
  .min(1)
  .max(ROUTES_MAX)
  .meta({ description: 'Place in the order, from 1. The routes behind it move.', example: 1 })

const newRoute = z.strictObject({
  legal_entity: routeMembers.legal_entity.meta(ENTITY),
  ...z
    .strictObject({
      when: conditions,
      processor: routeMembers.processor,
      enabled: routeMembers.enabled,
      description: routeMembers.description,
    })
    .partial().shape,
})

export const createLegalEntityRouteRequest = z
  .strictObject({
    legal_entity_route: newRoute
      .extend({
        position: position.optional().describe('Place in the order; the last if omitted.'),
      })
      .describe('The new route.'),
  })
  .meta({ id: 'CreateLegalEntityRoute', description: 'Body of a request that creates a route.' })

export type NewRoute = z.output<typeof createLegalEntityRouteRequest>['legal_entity_route']

export const updateLegalEntityRouteRequest = z
  .strictObject({
    legal_entity_route: z
      .strictObject({
        ...routeMembers,
        legal_entity: routeMembers.legal_entity.meta(ENTITY),
        position,
      })
      .partial()
      .describe('The members to change; others are kept. `when` is replaced as a whole.'),
  })
  .meta({ id: 'UpdateLegalEntityRoute', description: 'Body of a request that changes a route.' })

export type RouteChange = z.output<typeof updateLegalEntityRouteRequest>['legal_entity_route']

export const replaceLegalEntityRoutesRequest = z
  .strictObject({
    legal_entity_routes: z
      .array(
        newRoute.extend({
          id: z
            .string()
            .max(255)
            .regex(LEGAL_ENTITY_ROUTE_ID, { error: 'must be an id that begins with ler_' })
            .optional()
            .meta({
              description:
                'Id of a present route, which keeps it and the members that are omitted; without one the route is new.',
              example: 'ler_1893499200000_6g7h8i9j0k1l2m3n',
            }),
        }),
      )
      .max(ROUTES_MAX)
      .describe('All routes in their new order. Those that are missing are deleted.'),
  })
  .meta({ id: 'ReplaceLegalEntityRoutes', description: 'Body of a request with a new order.' })

export type RoutesReplacement = z.output<
  typeof replaceLegalEntityRoutesRequest
>['legal_entity_routes']

export const legalEntityRoute = z
  .strictObject({
    id: recordText('Route id; begins with `ler_`.', 'ler_1893499200000_6g7h8i9j0k1l2m3n'),
    position,
    legal_entity: relation(legalEntity).describe('Whom payments belong to. Expandable.'),
    when: conditions,
    processor: routeMembers.processor,
    enabled: routeMembers.enabled,
    description: routeMembers.description,
    ...sessionMembers,
    ...recordMembers,
  })
  .meta({
    id: 'LegalEntityRoute',
    description: 'A rule by which payments find their legal entity.',
  })

export type LegalEntityRouteRecord = z.output<typeof legalEntityRoute>

export const legalEntityRouteResponse = z.strictObject({ legal_entity_route: legalEntityRoute })

export const legalEntityRoutesResponse = z.strictObject({
  legal_entity_routes: z.array(legalEntityRoute).describe('All routes, by position.'),
})

export const resolveLegalEntityRequest = z
  .strictObject({
    payment: z
      .strictObject({
        amount: positiveAmount
          .optional()
          .describe('Amount in major units. Without one, no range of amounts holds.'),
        currency: currency
          .optional()
          .describe('Currency; that of the instance if omitted, ISO 4217.'),
        country: country
          .optional()
          .meta({ description: 'Country of the payer, ISO 3166-1.', example: 'FR' }),
        channel: text(64).optional().meta({ description: 'Sales channel.', example: 'web' }),
        branding: text(63).optional().meta({ description: 'Key of a branding.', example: 'kids' }),
        source: z.enum(SOURCES).optional().describe('Where it comes from; `ECOMMERCE` if omitted.'),
        account_tag: z
          .array(text(255))
          .max(100)
          .optional()
          .meta({ description: 'Tags of the account.', example: ['wholesale'] }),
        processor: text(64)
          .optional()
          .meta({ description: 'Processor of a stored method.', example: 'sandbox' }),
      })
      .describe('A payment that is not made.'),
  })
  .meta({ id: 'ResolveLegalEntity', description: 'Body of a request that tries the routes.' })

export type ResolveRequest = z.output<typeof resolveLegalEntityRequest>['payment']

export const resolveLegalEntityResponse = z.strictObject({
  legal_entity: legalEntity
    .nullable()
    .describe('Whom the payment would belong to; null if the instance has no legal entities.'),
  legal_entity_route: legalEntityRoute
    .nullable()
    .describe('The route that decided; null for the default.'),
})
