export interface Probe {
  success: boolean
  /** Seconds. */
  duration: number
  error: string | null
}

export const probeMs = 5_000

/** Makes a check that takes at most 5 seconds. */
export async function probe(check: (signal: AbortSignal) => Promise<void>, timeoutMs = probeMs): Promise<Probe> {
  const startedMs = performance.now()
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new Error(`no answer within ${timeoutMs / 1000} s`))
    }, timeoutMs)
  })
  const work = check(controller.signal)
  const error = await Promise.race([work, late]).then(
    () => null,
    (failure: unknown) => (failure instanceof Error ? failure.message : String(failure)),
  )
  clearTimeout(timer)
  // It was reported as late already.
  work.catch(() => undefined)
  return { success: error === null, duration: (performance.now() - startedMs) / 1000, error }
}
