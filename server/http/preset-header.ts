import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

/**
 * Sets a header of the response before there is one; a handler can set another value. With a connection, Node keeps it:
 * Hono would build a `Headers` object for the response, which takes longer than a small handler.
 */
export function presetHeader(c: Context, name: string, value: string): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}
