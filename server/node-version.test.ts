import { expect, it } from 'vitest'
import about from '../package.json' with { type: 'json' }
import { assertNodeVersion } from './node-version.ts'

it.each(['20.20.2', '22.17.1', '18.0.0'])(
  'Node %s is rejected with the required version',
  (version) => {
    expect(() => assertNodeVersion(version, about.engines.node)).toThrow(
      `Checkstand needs Node 22.18 or newer; this is Node ${version}`,
    )
  },
)

it.each(['22.18.0', '22.20.1', '23.1.0', '24.0.0'])('Node %s is new enough', (version) => {
  expect(() => assertNodeVersion(version, about.engines.node)).not.toThrow()
})
