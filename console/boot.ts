import type { ConsoleBoot } from '../shared/console-boot.ts'
import type { InstanceRecord } from '../shared/schemas/instance.ts'

/** What the server put into the document. */
export const boot: ConsoleBoot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}')

/** Keeps what a user changed of an instance, which the sidebar shows. Both twins name each other. */
export function rememberInstance({
  key,
  name,
  default_currency: currency,
  timezone,
  twin,
}: Pick<InstanceRecord, 'key' | 'name' | 'default_currency' | 'timezone' | 'twin'>): void {
  boot.instances = boot.instances.map((one) => {
    if (one.key === key) return { ...one, name, currency, timezone, twin }
    if (one.key === twin) return { ...one, twin: key }
    return one.twin === key ? { ...one, twin: null } : one
  })
}
