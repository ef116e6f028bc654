import type { Instance } from '../db/tables/instances.ts'
import type { InstanceRecord } from '../../shared/schemas/instance.ts'
import { fromJson } from '../db/json.ts'
import { brandingsOf } from './brandings.ts'

export function serializeInstance(instance: Instance): InstanceRecord {
  return {
    key: instance.key,
    name: instance.name,
    mode: instance.mode,
    twin: instance.twin,
    default_currency: instance.default_currency,
    timezone: instance.timezone,
    languages: fromJson<string[]>(instance.languages),
    allowed_origins: fromJson<string[]>(instance.allowed_origins) ?? [],
    theme: fromJson<InstanceRecord['theme']>(instance.theme),
    link_saved_methods: instance.link_saved_methods === 1,
    step_up_refund: instance.step_up_refund,
    support_refund_max: instance.support_refund_max,
    brandings: brandingsOf(instance),
    created: instance.created,
    updated: instance.updated,
    v: instance.v,
  }
}
