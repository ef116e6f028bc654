import { type Kysely, sql } from 'kysely'

/** Registers the merchants' command line, which runs on their machines and can keep no secret. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const ports = [4400, 4401, 4402, 4403, 4404]
  const urls = JSON.stringify(ports.map((port) => `http://127.0.0.1:${port}/callback`))
  await sql`insert into oauth_clients
      (id, name, secret_hash, redirect_urls, scopes, require_pkce, created, disabled)
    values ('oc_cli', 'Checkstand command line', null, ${urls}, 'read write', 1,
      '2026-01-01T00:00:00.000Z', null)`.execute(db)
}
