import type { Instance } from '../db/rows.ts'
import type { Branding } from '../../shared/schemas/instance.ts'

/** The faces that one instance shows to its payers. */
export function brandingsOf(instance: Instance): Branding[] {
  return JSON.parse(instance.brandings) as Branding[]
}

/** The branding that a link's channel belongs to, or undefined for the instance's own face. */
export function brandingOfChannel(
  instance: Instance,
  channel: string | null | undefined,
): Branding | undefined {
  if (channel == null) return undefined
  return brandingsOf(instance).find(({ channels }) => channels.includes(channel))
}

/** The name that payers see: the branding's, or the instance's own. */
export function nameOf(instance: Instance, branding: string): string {
  return brandingsOf(instance).find(({ key }) => key === branding)?.name ?? instance.name
}
