import { userInfo } from 'node:os'
import type { AuditActor } from './record-audit.ts'

/** Returns the actor of what is done on the command line: the account of the operating system. */
export function commandLineActor(): AuditActor {
  return { type: 'COMMAND_LINE', name: accountName() }
}

function accountName(): string | null {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that has no account.
    return null
  }
}
