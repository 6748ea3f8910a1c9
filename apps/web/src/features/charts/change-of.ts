/** How a value differs from that of the previous time range. */
export interface Change {
  /** Its sign shows whether it increased. */
  value: number
  text: string
}

/** Undefined if either value is unknown, or the previous one is 0. `points`: the values are shares, whose difference is in percentage points. */
export function changeOf(now: number | null, before: number | null | undefined, as: 'share' | 'points' = 'share'): Change | undefined {
  if (now === null || before === null || before === undefined) return undefined
  if (as === 'points') return { value: round(now - before), text: `${percentText(now - before)} pp` }
  if (before === 0) return undefined
  const value = round((now - before) / before)
  return { value, text: value < most ? `${percentText(value)}%` : `${Math.round(now / before).toLocaleString('en')}×` }
}

/** From here on, a percentage is hard to read: a multiple is shown instead. */
const most = 10

/** A change too small to be shown counts as none. */
const round = (share: number) => Math.round(share * 1_000) / 1_000
const percentText = (share: number) => Math.abs(round(share) * 100).toLocaleString('en', { maximumFractionDigits: 1 })
