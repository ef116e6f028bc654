import base from '../../locales/default.json' with { type: 'json' }
import type { Strings } from '../../shared/rules/wording.ts'

/** The wording that ships with the product, by language. `default` is the base wording, English. */
export const SHIPPED: Readonly<Record<string, Strings>> = { default: base }
