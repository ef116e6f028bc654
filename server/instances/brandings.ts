import type { Instance } from '../db/tables/instances.ts'
import type { Theme } from '../../shared/rules/palette.ts'
import type { Branding } from '../../shared/schemas/instance.ts'
import { fromJson } from '../db/json.ts'

export function brandingsOf(instance: Instance): Branding[] {
  return JSON.parse(instance.brandings) as Branding[]
}

/** Returns undefined when the instance's own branding applies. */
export function brandingOfChannel(
  instance: Instance,
  channel: string | null | undefined,
): Branding | undefined {
  if (channel == null) return undefined
  return brandingsOf(instance).find(({ channels }) => channels.includes(channel))
}

/** The name that payers see. `branding` is empty for the instance's own. */
export function nameOf(instance: Instance, branding: string): string {
  return brandingsOf(instance).find(({ key }) => key === branding)?.name ?? instance.name
}

/**
 * The colors that payers see. `branding` is empty for the instance's own, whose tokens every branding
 * inherits.
 */
export function themeOf(instance: Instance, branding: string): Theme {
  const own = brandingsOf(instance).find(({ key }) => key === branding)
  return { ...fromJson<Theme>(instance.theme), ...own?.theme }
}
