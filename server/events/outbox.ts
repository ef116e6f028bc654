import { EventEmitter } from 'node:events'

/**
 * Says within this process that there is something new to send: an event was committed, or
 * deliveries of one to webhooks, or that a test clock was set to move. It only makes the jobs look at once. What another process commits,
 * and what is missed, they find by looking regularly.
 */
export const outbox = new EventEmitter<{ event: []; delivery: []; clock: [] }>().setMaxListeners(0)
