import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { adapterOf } from '../processors/adapters.ts'
import { accessOf, type Asked } from './ask-processor.ts'
import { webhookUrl } from './webhook-url.ts'

type EndpointDeps = Pick<Deps, 'config' | 'log'>

/**
 * Makes the endpoint for a connection's notifications at the processor. Returns undefined when the
 * server is not reachable for it, the key may not make one, or there was no clear answer: then the
 * merchant makes it, or asks for it again.
 */
export async function createEndpoint(
  deps: EndpointDeps,
  asked: Asked & { id: string },
): Promise<{ endpoint: string; secret: string } | undefined> {
  const adapter = adapterOf(asked.name)
  const url = webhookUrl(deps.config.baseUrl, asked)
  if (url === null) return undefined
  const { accountApi } = await adapter.load()
  try {
    return await accountApi.createWebhook(accessOf(deps, asked), {
      url,
      types: adapter.noticeTypes,
      connection: asked.id,
      key: `${asked.id}:webhook:${randomUUID()}`,
    })
  } catch (error) {
    deps.log.warn({ err: error, processor: asked.id }, 'a webhook endpoint could not be made')
    return undefined
  }
}

/** Deletes an endpoint that is no longer used. A failure leaves it, and its notifications are ignored. */
export async function deleteEndpoint(
  deps: EndpointDeps,
  asked: Asked & { id: string },
  endpoint: string,
): Promise<void> {
  const { accountApi } = await adapterOf(asked.name).load()
  try {
    await accountApi.deleteWebhook(accessOf(deps, asked), endpoint)
  } catch (error) {
    deps.log.warn({ err: error, processor: asked.id }, 'a webhook endpoint could not be deleted')
  }
}
