import { unavailable } from '@heddle/core-api/internal'

/** Memory that one request has reserved for its body. */
export interface MemoryReservation {
  /** Sets the owner of the request; further reservations count against the owner's share. */
  assignOwner(owner: string): void
  /** @throws ApiError 503 when the bytes are not available; earlier reservations of the request are kept. */
  reserve(bytes: number): void
  /** Reserves nothing. @throws ApiError 503 when this many bytes are not available now */
  assertAvailable(bytes: number): void
  /** Releases everything. Safe to call again. */
  release(): void
}

/** Bounds the bytes of all request bodies in memory at one time. An owner with more than one body has at most half of them. */
export interface BodyBudget {
  /** An empty reservation. */
  open(): MemoryReservation
  readonly usedBytes: number
  readonly maxBytes: number
}

export const defaultBodyBudgetBytes = 256 * 2 ** 20

/** Services of one process share one of these, as they share its memory. */
export function createBodyBudget(maxBytes = defaultBodyBudgetBytes): BodyBudget {
  const usedByOwner = new Map<string, number>()
  let used = 0
  const usedBy = (owner: string | undefined) => (owner === undefined ? 0 : (usedByOwner.get(owner) ?? 0))
  return {
    maxBytes,
    get usedBytes() {
      return used
    },
    open() {
      let reserved = 0
      let owner: string | undefined
      const count = (bytes: number) => {
        used += bytes
        reserved += bytes
        if (owner === undefined) return
        const sum = usedBy(owner) + bytes
        if (sum === 0) usedByOwner.delete(owner)
        else usedByOwner.set(owner, sum)
      }
      const assertAvailable = (bytes: number) => {
        const byOthersOfOwner = usedBy(owner) - reserved
        const isWithinShare = byOthersOfOwner <= 0 || byOthersOfOwner + reserved + bytes <= maxBytes / 2
        if (used + bytes <= maxBytes && isWithinShare) return
        throw unavailable('no memory left for request bodies; retry shortly', 1)
      }
      return {
        assertAvailable,
        assignOwner(name) {
          owner = name
        },
        reserve(bytes) {
          assertAvailable(bytes)
          count(bytes)
        },
        release: () => count(-reserved),
      }
    },
  }
}
