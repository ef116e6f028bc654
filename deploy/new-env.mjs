// Writes `.env` with a password of the database and a key that encrypts those of processors, once.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const lines = [
  `POSTGRES_PASSWORD=${randomBytes(24).toString('hex')}`,
  `CHECKSTAND_ENCRYPTION_KEY=${randomBytes(32).toString('base64')}`,
]
// Fails for a file that is there: its secrets are in use.
writeFileSync('.env', `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
process.stdout.write('.env is written. Keep a copy of it with your backups.\n')
