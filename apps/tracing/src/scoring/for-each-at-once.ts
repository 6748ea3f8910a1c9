/**
 * Calls `work` for the items in their order, at most `atOnce` at a time. After the first failure no further item is started; the failure is thrown
 * when the running ones have ended.
 */
export async function forEachAtOnce<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]()
  let hasFailed = false
  const workOn = async () => {
    for (let next = rest.next(); !hasFailed && next.done !== true; next = rest.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, workOn))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
