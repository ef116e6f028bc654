import { z } from 'zod'
import { nestedError } from '../../../../shared/schemas/error-bodies.ts'
import type { DescribedRoute } from '../mount.ts'

/** Health probes, which have no limit and accept any host name, and the OpenAPI document. */

const health = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']).meta({
      description: '`ok`, or `unavailable` while the server cannot do its work.',
    }),
  })
  .meta({ id: 'Health', description: 'Whether the server can do its work.' })

export const HEALTH: readonly DescribedRoute[] = [
  {
    method: 'get',
    path: '/livez',
    tag: 'health',
    operation: 'get_liveness',
    summary: 'Ask whether the process is alive',
    description:
      'Returns 200 while the process is responsive and 503 while its event loop is blocked.',
    responses: { 200: health, 400: nestedError, 503: health },
  },
  {
    method: 'get',
    path: '/readyz',
    tag: 'health',
    operation: 'get_readiness',
    summary: 'Ask whether the server is ready',
    description:
      'Returns 200 while the server can take payments: the database accepts writes, the ' +
      'disk has space, load is not being shed, and no shutdown has begun. Otherwise returns ' +
      '503.',
    responses: { 200: health, 400: nestedError, 503: health },
  },
  {
    method: 'get',
    path: '/openapi.json',
    tag: 'health',
    operation: 'get_openapi_document',
    summary: 'Get this document',
    description: 'Returns the OpenAPI document of this server. It changes with its version only.',
    responses: {
      200: z.looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) }),
      304: null,
      400: nestedError,
      421: nestedError,
      429: nestedError,
      500: nestedError,
      503: nestedError,
    },
  },
]
