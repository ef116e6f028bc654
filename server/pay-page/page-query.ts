import { z } from 'zod'
import type { AppContext } from '../http/router.ts'
import type { LanguagePreferences } from '../strings/languages.ts'

/** Members of the query of every payment page. */
export const pageQuery = {
  lang: z.string().max(35).optional().meta({
    description: 'Language of the page; without it the browser’s languages decide.',
    example: 'fr',
  }),
  // The name of the option in the embed script.
  language: z.string().max(35).optional().meta({ description: 'The same as lang.' }),
  branding: z.string().max(64).optional().meta({
    description: 'Key of the branding of the page.',
  }),
  theme: z.string().optional().meta({
    description: 'Color schemes of a page in a frame.',
    example: 'light dark',
  }),
}

export function preferences(c: AppContext): LanguagePreferences {
  return { accepted: c.req.header('accept-language') }
}
