import { expect, it } from 'vitest'
import { formatOf } from './file-format.ts'

it.each([
  ['strings-fr.json', '{}', 'JSON'],
  ['Strings.CSV', 'id;fr', 'CSV'],
  ['fr.xlf', '<?xml version="1.0"?><xliff version="1.2" xmlns="x">', 'XLIFF_1_2'],
  ['fr.xliff', '<?xml version="1.0"?>\n<xliff xmlns="x"\n version = \'2.0\'>', 'XLIFF_2_0'],
  ['strings.txt', '{}', undefined],
  ['strings', '{}', undefined],
] as const)('the format of %s is known by its name and version', (name, content, format) => {
  expect(formatOf(name, content)).toBe(format)
})
