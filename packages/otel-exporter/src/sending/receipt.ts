/** Tells one caller of the exporter when all of its spans have been answered for. */
export interface Receipt {
  /** One span is answered for; `problem` says why it did not arrive, undefined when it did. */
  settle(problem: string | undefined): void
}

/** Calls `done` once, when `spans` spans have been settled, with the first problem there was. */
export function createReceipt(spans: number, done: (problem: string | undefined) => void): Receipt {
  let open = spans
  let failed = 0
  let first: string | undefined
  if (spans === 0) done(undefined)
  return {
    settle(problem) {
      if (problem !== undefined) {
        failed++
        first ??= problem
      }
      if (--open === 0) done(first === undefined ? undefined : `${failed} of ${spans} spans: ${first}`)
    },
  }
}
