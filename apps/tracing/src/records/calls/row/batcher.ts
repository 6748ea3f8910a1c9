/**
 * Coalesces requests into batches: while one batch runs the next requests wait, and then run together, up to `maxWeight` in one batch.
 * Each caller gets the answer of the batch that had its request, or its error.
 */
export function createBatcher<Request, Answer>(options: {
  run(requests: readonly Request[]): Promise<Answer>
  weigh(request: Request): number
  maxWeight: number
}): (request: Request) => Promise<Answer> {
  const waiting: { request: Request; resolve(answer: Answer): void; reject(error: unknown): void }[] = []
  let isRunning = false

  function takeBatch() {
    let weight = 0
    const end = waiting.findIndex(({ request }, index) => {
      weight += options.weigh(request)
      return index > 0 && weight > options.maxWeight
    })
    return waiting.splice(0, end === -1 ? waiting.length : end)
  }

  async function drain(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = takeBatch()
      await options.run(batch.map(({ request }) => request)).then(
        (answer) => batch.forEach(({ resolve }) => resolve(answer)),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
    }
    isRunning = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      // Requests of the same event-loop tick run together.
      if (!isRunning) queueMicrotask(() => void (isRunning || drain()))
    })
}
