/** Slots of a count of durations: one up to 1 ms, then four for each doubling, and all from about 15 minutes on in the last. */
export const durationSlots = 80

const slotsPerDoubling = 4

/** The slot that counts a duration. */
export function slotOf(ms: number): number {
  return ms <= 1 ? 0 : Math.min(durationSlots - 1, Math.ceil(Math.log2(ms) * slotsPerDoubling))
}

const endOf = (slot: number) => 2 ** (slot / slotsPerDoubling)

/**
 * The duration in milliseconds that a share (0 to 1) of the counted ones do not exceed, at most 19 % above the exact one.
 * Null if none are counted.
 */
export function percentileOf(counts: ArrayLike<number>, share: number): number | null {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (let slot = 0; slot < counts.length; slot++) {
    seen += counts[slot] ?? 0
    if (seen >= rank) return endOf(slot)
  }
  return endOf(durationSlots - 1)
}
