import { signal } from '@preact/signals'

/** A request that waits until its user has proved who they are; undefined while none does. */
export const stepUpAsked = signal<{ answer: (proved: boolean) => void } | undefined>(undefined)

let asking: Promise<boolean> | undefined

/**
 * Asks the user to prove who they are. Requests that need it at the same time wait for one dialog. Returns
 * false when the user does not want to.
 */
export function askStepUp(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    stepUpAsked.value = {
      answer: (proved) => {
        stepUpAsked.value = undefined
        asking = undefined
        resolve(proved)
      },
    }
  })
  return asking
}
