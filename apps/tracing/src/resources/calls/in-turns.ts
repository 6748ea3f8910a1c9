/**
 * Gathers requests: while one run is under way the next ones wait, and then go together, up to `maxWeight` in one run.
 * Each caller gets the answer of the run that had its request, or its failure.
 */
export function inTurns<Request, Answer>(options: {
  run(requests: readonly Request[]): Promise<Answer>
  weigh(request: Request): number
  maxWeight: number
}): (request: Request) => Promise<Answer> {
  const waiting: { request: Request; resolve(answer: Answer): void; reject(error: unknown): void }[] = []
  let isRunning = false

  function take() {
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
      const turn = take()
      await options.run(turn.map(({ request }) => request)).then(
        (answer) => turn.forEach(({ resolve }) => resolve(answer)),
        (error: unknown) => turn.forEach(({ reject }) => reject(error)),
      )
    }
    isRunning = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      // Requests of the same turn of the event loop go together.
      if (!isRunning) queueMicrotask(() => void (isRunning || drain()))
    })
}
