import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { pruneGrants } from './prune.ts'
import { newCode, newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const DAY = 86_400_000

const counts = async () => {
  await pruneGrants(deps)
  const tables = ['oauth_tokens', 'oauth_codes', 'oauth_grants'] as const
  return Promise.all(
    tables.map(async (table) => {
      const row = await deps.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return row.n
    }),
  )
}

it('what has expired is removed, and what still means something stays', async () => {
  const { email } = await newUser(app)
  const platform = await newPlatform(app)
  const tokens = await newTokens(app, email, platform)
  await newCode(app, email, platform)
  expect(await counts()).toEqual([2, 2, 2])
  expect((await withToken(app, tokens.access_token)('/accounts')).status).toBe(200)
  app.pass(3_600_000)
  expect(await counts()).toEqual([1, 2, 2])
  app.pass(31 * DAY)
  expect(await counts()).toEqual([1, 0, 1])
  expect((await platform.refresh(tokens.refresh_token)).status).toBe(200)
  await platform.revoke({ token: tokens.refresh_token })
  expect(await counts()).toEqual([0, 0, 0])
})
