import type base from '../locales/default.json'

type Id = keyof typeof base
/** `status.fields` stands for `status.fields_one` and `status.fields_other`. */
type PluralStem<K> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : never

/** The string ids of the default catalog. */
export type StringId = Id | PluralStem<Id>
