import { ApiError } from '../errors.ts'
import { type AppContext, restrictedCaller } from '../http/router.ts'

/**
 * Throws a 403 ApiError for a user who may write strings of some languages only, and these are others.
 * `default` is the language of the base strings.
 */
export function requireLanguages(c: AppContext, languages: Iterable<string>): void {
  const own = restrictedCaller(c)?.user?.languages
  if (!own) return
  const refused = [...new Set(languages)].filter((language) => !own.includes(language))
  if (refused.length === 0) return
  throw new ApiError(
    'FORBIDDEN',
    `This user may write strings of ${own.join(', ')}, and not of ${refused.join(', ')}`,
    { recordedAs: { event: 'role_refused', limit: 'strings:write' } },
  )
}
