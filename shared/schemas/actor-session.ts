import { z } from 'zod'
import { instant } from './common.ts'

/** Who did something, and from where (contract section 13). */
export const actorSession = z
  .strictObject({
    id: z.string(),
    type: z.enum(['API_KEY', 'OAUTH', 'USER', 'CHECKOUT', 'SYSTEM']),
    user: z.string().nullable(),
    client_id: z.string().nullable(),
    checkout: z.string().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    created: instant,
  })
  .meta({ id: 'ActorSession' })

export type ActorSession = z.output<typeof actorSession>
