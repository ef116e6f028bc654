import {
  layersOf,
  type StringLayers,
  type StringLookup,
  type StringScope,
} from '../../shared/rules/inherit.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

/** Returns the layers of a scope above the strings of `locales/*.json`. */
export function stringLayers(scope: StringScope, rows: StringLookup): StringLayers {
  return layersOf(scope, rows, (language) => DEFAULT_CATALOG[language])
}
