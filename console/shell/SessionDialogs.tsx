import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { stepUpAsked } from '../api/step-up.ts'
import { IdleDialog } from './Idle.tsx'

/** What may stand above every screen: the proof of who one is, and the warning before the sign-out. */
export function SessionDialogs() {
  const isAsked = stepUpAsked.value !== undefined
  const [StepUp, setStepUp] = useState<ComponentType>()
  useEffect(() => {
    if (!isAsked) return
    import('./StepUp.tsx').then(
      (part) => setStepUp(() => part.StepUp),
      () => stepUpAsked.value?.answer(false),
    )
  }, [isAsked])
  return (
    <>
      {isAsked && StepUp && <StepUp />}
      <IdleDialog />
    </>
  )
}
