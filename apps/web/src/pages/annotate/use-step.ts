import { useState } from 'react'

/** What the page says after a step: why it was not done, or what there is to know. Undefined where there is nothing to say. */
export type StepMessage = { error: unknown } | { problem: string } | { message: string } | undefined

/** Does one step at a time: one that is started during another is ignored. */
export function useStep() {
  const [isLeaving, setLeaving] = useState(false)
  const [said, say] = useState<StepMessage>()
  return {
    /** A step is under way. */
    isLeaving,
    said,
    say,
    start(step: () => Promise<StepMessage>) {
      if (isLeaving) return
      setLeaving(true)
      say(undefined)
      step()
        .catch((error: unknown) => ({ error }))
        .then(say)
        .finally(() => setLeaving(false))
    },
  }
}
