import { unavailable } from '@heddle/core-api'

/** What one request holds of the budget. */
export interface BodyClaim {
  /** @throws ApiError 503 when the bytes do not fit; what was claimed before stays claimed. */
  add(bytes: number): void
  /** @throws ApiError 503 when so many bytes would not fit now. Claims nothing. */
  expect(bytes: number): void
  /** Gives everything back. */
  release(): void
}

/** Bounds the bytes of all request bodies in memory at one time. */
export interface BodyBudget {
  open(): BodyClaim
  readonly usedBytes: number
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  let used = 0
  const expect = (bytes: number) => {
    if (used + bytes > maxBytes) throw unavailable('too many request bodies are being handled; send this one again shortly', 1)
  }
  return {
    get usedBytes() {
      return used
    },
    open() {
      let held = 0
      return {
        expect,
        add(bytes) {
          expect(bytes)
          used += bytes
          held += bytes
        },
        release() {
          used -= held
          held = 0
        },
      }
    },
  }
}
