import type { InstanceRecord } from '../../../shared/schemas/instance.ts'
import { useInstance } from '../../address.ts'
import { request } from '../../api/request.ts'
import { invalidate, seed } from '../../api/resource.ts'

type Branding = InstanceRecord['brandings'][number]

/**
 * Returns what changes the brandings as they are stored now. `force` also removes the sentences of those
 * that go.
 */
export function useChangeBrandings() {
  const { api, key } = useInstance()
  const path = api(`/instances/${key}`)
  return async (change: (brandings: readonly Branding[]) => Branding[], force = false) => {
    const { instance } = await request<{ instance: InstanceRecord }>('GET', path)
    const answer = await request<{ instance: InstanceRecord }>('PUT', path, {
      ifMatch: instance.v,
      body: { instance: { brandings: change(instance.brandings) }, ...(force && { force }) },
    })
    seed(path, answer)
    invalidate((address) => address.startsWith(api('/string_overrides')))
  }
}
