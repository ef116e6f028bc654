import { isLoopback } from '../outbound/address-policy.ts'

/**
 * Returns where the processor of a connection sends its notifications; null while only this machine
 * reaches the server.
 */
export function webhookUrl(
  baseUrl: string,
  { id, name }: { id: string; name: string },
): string | null {
  const host = new URL(baseUrl).hostname.replaceAll(/^\[|\]$/g, '')
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)
  return isLocal ? null : `${baseUrl}/processors/${name}/webhooks/${id}`
}
