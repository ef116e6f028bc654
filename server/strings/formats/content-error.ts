import { type ApiError, invalid } from '../../errors.ts'

/** Returns a 400 about the content of an imported file; `rule` says what it must be. */
export const contentError = (rule: string): ApiError => invalid('string_import.content', rule)
