/** Running requests by the query id of the client. */
export interface RunningStatements {
  /** Runs a request under a query id; `''` for none. */
  track(id: string, run: (cancelled: AbortController) => Promise<void>): Promise<void>
  /** Cancels the request with the id. Resolves once it has ended; immediately if there is none. */
  cancel(id: string): Promise<void>
}

export function createRunningStatements(): RunningStatements {
  const running = new Map<string, { cancelled: AbortController; over: Promise<void> }>()
  return {
    async track(id, run) {
      const cancelled = new AbortController()
      const over = run(cancelled)
      if (id === '') return over
      const entry = { cancelled, over }
      running.set(id, entry)
      await over.finally(() => {
        if (running.get(id) === entry) running.delete(id)
      })
    },
    async cancel(id) {
      const entry = running.get(id)
      entry?.cancelled.abort(new Error('the statement was cancelled'))
      await entry?.over
    },
  }
}

/** The query id in a `KILL QUERY` statement; undefined for any other statement. */
export function parseCancel(statement: string | undefined): string | undefined {
  return /^KILL QUERY WHERE query_id = '([0-9a-f-]{36})' SYNC$/.exec(statement?.trim() ?? '')?.[1]
}
