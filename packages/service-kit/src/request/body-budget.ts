import { unavailable } from '@heddle/core-api/internal'

/** What one request holds of the budget. */
export interface BodyClaim {
  /** Says whose the request is; what it holds from now on counts as theirs. */
  ownedBy(owner: string): void
  /** @throws ApiError 503 when the bytes do not fit; what was claimed before stays claimed. */
  add(bytes: number): void
  /** @throws ApiError 503 when so many bytes would not fit now. Claims nothing. */
  expect(bytes: number): void
  /** Gives everything back. */
  release(): void
}

/** Bounds the bytes of all request bodies in memory at one time. With more than one, an owner has no more than half of them. */
export interface BodyBudget {
  open(): BodyClaim
  readonly usedBytes: number
}

export const defaultBodyBudgetBytes = 256 * 2 ** 20

/** Services of one process share one of these, as they share the memory. */
export function createBodyBudget(maxBytes = defaultBodyBudgetBytes): BodyBudget {
  const usedBy = new Map<string, number>()
  let used = 0
  const usedOf = (owner: string | undefined) => (owner === undefined ? 0 : (usedBy.get(owner) ?? 0))
  return {
    get usedBytes() {
      return used
    },
    open() {
      let held = 0
      let owner: string | undefined
      const hold = (bytes: number) => {
        used += bytes
        held += bytes
        if (owner === undefined) return
        const left = usedOf(owner) + bytes
        if (left === 0) usedBy.delete(owner)
        else usedBy.set(owner, left)
      }
      const expect = (bytes: number) => {
        const others = usedOf(owner) - held
        const isWithinShare = others <= 0 || others + held + bytes <= maxBytes / 2
        if (used + bytes <= maxBytes && isWithinShare) return
        throw unavailable('too many request bodies are being handled; send this one again shortly', 1)
      }
      return {
        expect,
        ownedBy(name) {
          owner = name
        },
        add(bytes) {
          expect(bytes)
          hold(bytes)
        },
        release: () => hold(-held),
      }
    },
  }
}
