import type { QueueItem } from '../../features/queues/queue-queries.ts'

type ClaimedItem = Pick<QueueItem, 'claimed_by' | 'claimed_until' | 'own_state' | 'review_count'>

/** Who holds the item that is on screen. */
export type ClaimState =
  | { kind: 'held'; leftMs: number }
  /** Another holds it; `isLost` where the user held it before. */
  | { kind: 'other'; by: string; until: string; isLost: boolean }
  /** The user held it for too long without work on it, and it is not held by another user. */
  | { kind: 'ended' }
  | { kind: 'free' }
  /** The user has completed or skipped it. */
  | { kind: 'reviewed' }
  /** Enough other users have completed it. */
  | { kind: 'completed' }

interface ClaimView {
  item: ClaimedItem
  username: string
  /** When this page's claim ends, in milliseconds by the browser's clock. Undefined without one. */
  heldUntil: number | undefined
  reviewersPerItem: number
  now: number
}

export function claimStateOf({ item, username, heldUntil, reviewersPerItem, now }: ClaimView): ClaimState {
  const { claimed_by: by, claimed_until: until, own_state: own } = item
  const wasHeld = heldUntil !== undefined
  if (own === 'completed' || own === 'skipped') return { kind: 'reviewed' }
  if (by !== null && until !== null && by !== username) return { kind: 'other', by, until, isLost: wasHeld }
  if (by === username && wasHeld && heldUntil > now) return { kind: 'held', leftMs: heldUntil - now }
  if (item.review_count >= reviewersPerItem) return { kind: 'completed' }
  return { kind: wasHeld ? 'ended' : 'free' }
}

/** Claims of one item in a row that are made longer before only new work on it claims it. */
const maxClaims = 12

interface ClaimActivity {
  now: number
  /** When it was claimed last, and first without a gap. */
  claimedAt: number
  heldSince: number
  /** When a key, the pointer or the wheel was used last. */
  activeAt: number
  isVisible: boolean
  leaseMs: number
}

/** Whether a claim is to be made longer: after a third of its time, while the page is seen and was used since, and not for ever. */
export function shouldRenew({ now, claimedAt, heldSince, activeAt, isVisible, leaseMs }: ClaimActivity): boolean {
  return isVisible && activeAt > claimedAt && now - claimedAt >= leaseMs / 3 && now - heldSince < maxClaims * leaseMs
}

/** Remaining time, as a readable text. */
export function leftText(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60).toLocaleString('en')} min`
}
