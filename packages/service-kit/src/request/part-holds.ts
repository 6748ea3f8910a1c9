import type { HoldPart, PartHold } from '../routing/mount-options.ts'

/** The uploads of one request. */
export interface PartHolds {
  hold: HoldPart
  /** Forgets all that no handler kept, also what is still arriving. */
  dropAll(): Promise<void>
}

/** Remembers what a request had put aside, so that it goes with the request. */
export function rememberHolds(holdPart: HoldPart): PartHolds {
  const holds: Promise<PartHold>[] = []
  return {
    hold(content) {
      const held = holdPart(content)
      holds.push(held)
      return held
    },
    async dropAll() {
      const settled = await Promise.allSettled(holds)
      await Promise.all(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.drop()] : [])))
    },
  }
}
