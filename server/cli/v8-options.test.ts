import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { V8_OPTIONS } from './v8-options.ts'

// V8 only prints an error about an option that it does not know.
it.each(V8_OPTIONS)('V8 knows %s', (option) => {
  const [name] = option.replace('--no-', '--').split('=')
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(known).toContain(`\n  ${name} (`)
})
