import type { StringRecord } from '../../../shared/schemas/string.ts'
import { useInstance } from '../../address.ts'
import { type Action, useAction } from '../../api/action.ts'
import { request, RequestError } from '../../api/request.ts'
import { invalidate } from '../../api/resource.ts'
import { isSame, type Sentence } from './sentence.ts'

interface Answer {
  strings: StringRecord[]
  meta: { version: number }
}

/**
 * Notes that stale sentences are still right. What is noted is what was seen: when others have published
 * since `version`, nothing is, and the editor shows what they published.
 */
export function useAcknowledge(version: number): Action<[sentences: readonly Sentence[]]> {
  const { api } = useInstance()
  return useAction(async (_key, sentences: readonly Sentence[]) => {
    const string_acks: object[] = []
    const scopes = new Map(sentences.map((each) => [`${each.branding}|${each.language}`, each]))
    for (const { branding, language } of scopes.values()) {
      const query = new URLSearchParams({ language, stale: 'Y', limit: '1000' })
      if (branding !== '') query.set('branding', branding)
      const { strings, meta } = await request<Answer>('GET', api(`/strings?${query}`))
      if (meta.version !== version) {
        invalidate((path) => path.startsWith(api('/string')))
        throw new RequestError('', { status: 409, type: 'CONFLICT' })
      }
      for (const { id, stale_hash } of strings) {
        const isMeant = sentences.some((each) => isSame(each, { branding, language, id }))
        if (isMeant) string_acks.push({ id, language, branding: branding || null, stale_hash })
      }
    }
    if (string_acks.length > 0) await request('PUT', api('/string_acks'), { body: { string_acks } })
    invalidate((path) => path.startsWith(api('/string')))
  })
}
