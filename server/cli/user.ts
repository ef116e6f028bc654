import { changePassword, disableUser } from '../users/change.ts'
import { resetFactors } from '../users/factors/reset.ts'
import { createUser } from '../users/create.ts'
import { listUsers } from '../users/store.ts'
import { withDatabase } from './database.ts'
import { PASSWORD_HELP, PASSWORD_OPTIONS, generatePassword, readPassword } from './password.ts'
import { print, printList } from './output.ts'
import { readUsage, requireOption } from './usage.ts'

const HELP = `npx checkstand user create --email E [--password-stdin] [--merchant NAME] [--json]
npx checkstand user list [--json]
npx checkstand user password <email> [--password-stdin] [--keep-grants] [--json]
npx checkstand user disable <email> [--json]
npx checkstand user reset-factors <email> [--json]

A user signs in for a merchant (the first one, unless named) and approves platforms. Without a
password option, a password is generated and shown once. A new password ends the user's sessions and,
unless --keep-grants, revokes the grants that they approved. disable does both. The number of revoked
grants is printed; \`npx checkstand client grants\` lists the remaining ones. reset-factors removes the
passkeys, the authenticator app and the recovery codes of a user who has lost them, and ends their sessions.

${PASSWORD_HELP}`

const USAGE = {
  help: HELP,
  actions: { create: 0, list: 0, password: 1, disable: 1, 'reset-factors': 1 },
  options: {
    merchant: { type: 'string' },
    email: { type: 'string' },
    'keep-grants': { type: 'boolean' },
    ...PASSWORD_OPTIONS,
  },
} as const

/** `checkstand user …`. */
export async function userCommand(args: string[]): Promise<void> {
  const usage = readUsage(args, USAGE)
  if (!usage) return
  const { values, action, argument, json } = usage
  const entered = await readPassword(values)
  const password = entered ?? generatePassword()
  const shown = entered === undefined ? { password } : {}
  if (action === 'create') {
    const { merchant } = values
    const email = requireOption(values.email, 'email')
    await withDatabase((tools) => createUser(tools, { merchant, email, password }))
    return print({ email, ...shown }, json)
  }
  if (action === 'list') {
    return printList('users', await withDatabase(({ db }) => listUsers(db)), json)
  }
  if (action === 'password') {
    const keepGrants = values['keep-grants'] ?? false
    const revoked = await withDatabase((tools) =>
      changePassword(tools, argument, password, { keepGrants }),
    )
    return print({ email: argument, ...shown, grants_revoked: revoked }, json)
  }
  if (action === 'reset-factors') {
    const removed = await withDatabase((tools) => resetFactors(tools, argument))
    return print({ email: argument, factors_removed: removed }, json)
  }
  const revoked = await withDatabase((tools) => disableUser(tools, argument))
  print({ disabled: argument, grants_revoked: revoked }, json)
}
