import { setTimeout as sleep } from 'node:timers/promises'
import { openMailServer, reply, type ReceivedMail } from '../../test/smtp-server.ts'
import type { Random } from '../../test/random.ts'

/**
 * The mail server of a crash run. It refuses some mails for now, takes its time after it has accepted
 * one, and loses some of its replies then.
 */
export interface Mailbox {
  url: string
  /** Accepted mails, oldest first; also those whose reply was lost. */
  received: readonly ReceivedMail[]
  /** From here on every mail is accepted, and every reply arrives. */
  behave: () => void
  close: () => Promise<void>
}

/** The shares of mails that are refused, and of replies that are lost. */
const REFUSED = 0.1
const LOST = 0.1
/** Milliseconds between the acceptance of a mail and the reply, at most. */
const REPLY_MS = 100

export async function openMailbox({ random }: { random: Random }): Promise<Mailbox> {
  let isFair = false
  const server = await openMailServer(
    {
      onRcptTo: (_address, _session, accept) =>
        accept(!isFair && random.chance(REFUSED) ? reply(451) : undefined),
    },
    async () => {
      if (isFair) return undefined
      await sleep(random.between(0, REPLY_MS))
      // As good as none: the server has to assume that the mail was not accepted.
      return random.chance(LOST) ? reply(451) : undefined
    },
  )
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    received: server.received,
    behave: () => {
      isFair = true
    },
    async close() {
      server.hangUp()
      await server.close()
    },
  }
}
