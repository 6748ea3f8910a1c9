/** Limits of depth and number of values in one attribute; values beyond are replaced by a text that explains it. */
const valueLimit = { depth: 32, count: 100_000 } as const

export const placeholder = {
  circular: '[circular]',
  tooDeep: '[too deep]',
  tooMany: '[too many values]',
  unreadable: '[unreadable]',
} as const

/** State of a walk through one attribute: the enclosing objects, and the number of values seen. */
export interface ValueWalk {
  readonly path: object[]
  count: number
}

/** The text that replaces `value` where it cannot be walked into; undefined where it can. */
export function findPlaceholder(walk: ValueWalk, value: object): string | undefined {
  if (walk.path.length >= valueLimit.depth) return placeholder.tooDeep
  return walk.path.includes(value) ? placeholder.circular : undefined
}

/** The members still to be written; if there are too many, the last one is a text that explains it. */
export function* membersWithin<T>(walk: ValueWalk, members: Iterable<T>, mark: T): Generator<T> {
  for (const member of members) {
    if (++walk.count > valueLimit.count) {
      yield mark
      return
    }
    yield member
  }
}

const int64Limit = 2 ** 63

/** Whether a number is encoded as a 64-bit integer. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -int64Limit && value < int64Limit
}

export function isBigInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}
