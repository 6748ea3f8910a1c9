const signals = ['SIGTERM', 'SIGINT'] as const

/** Asks to stop: by the first of the signals that end a process. */
export interface StopSignal {
  /** Resolves when the process is asked to stop. */
  readonly asked: Promise<void>
  /** Leaves the signals alone again. */
  release(): void
}

/** Takes over the signals that end a process. A second one calls `onImpatience`. */
export function listenForStop(onImpatience: () => void): StopSignal {
  let stop: () => void = () => undefined
  let isAsked = false
  const asked = new Promise<void>((resolve) => {
    stop = resolve
  })
  const listener = () => {
    if (isAsked) onImpatience()
    isAsked = true
    stop()
  }
  for (const signal of signals) process.on(signal, listener)
  return {
    asked,
    release() {
      for (const signal of signals) process.off(signal, listener)
    },
  }
}
