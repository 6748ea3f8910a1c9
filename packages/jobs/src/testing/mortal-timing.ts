import type { Timing } from '@heddle/datastore'

/** Timing of a process that may die. */
export interface MortalTiming extends Timing {
  /** Cancels its timers, and those that it sets from now on. */
  die(): void
}

export function mortalTiming(timing: Timing): MortalTiming {
  const cancels = new Set<() => void>()
  let isDead = false
  return {
    now: timing.now,
    random: timing.random,
    after(ms, callback) {
      if (isDead) return () => {}
      const cancel = timing.after(ms, () => {
        cancels.delete(forget)
        callback()
      })
      const forget = () => {
        cancels.delete(forget)
        cancel()
      }
      cancels.add(forget)
      return forget
    },
    die() {
      isDead = true
      for (const cancel of cancels) cancel()
    },
  }
}
