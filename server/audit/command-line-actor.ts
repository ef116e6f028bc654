import { userInfo } from 'node:os'

export interface CommandLineActor {
  type: 'COMMAND_LINE'
  name: string | null
}

/** Returns the actor of what is done on the command line: the account of the operating system. */
export function commandLineActor(): CommandLineActor {
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
