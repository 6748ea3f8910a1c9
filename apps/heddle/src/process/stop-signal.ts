import { onParentEnd } from './parent-process.ts'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/** A request to stop: the first signal that ends a process, or the end of the parent. */
export interface StopSignal {
  /** Resolves on the first of these. */
  readonly requested: Promise<void>
  /** Leaves the signals and the parent alone again. */
  release(): void
}

export interface StopOptions {
  /** True when the end of the parent process is a request to stop as well. */
  endsWithParent: boolean
  /** Called at each Ctrl-C after the request to stop. */
  onSecondInterrupt: () => void
  /** Emits the signals that this process receives. */
  signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>
}

/**
 * Takes over the signals that end a process. A further SIGTERM changes nothing: who ends a whole group of processes sends it to this one and
 * to the one that passes it on.
 */
export function listenForStop({ endsWithParent, onSecondInterrupt, signals }: StopOptions): StopSignal {
  let stop: () => void = () => undefined
  let isRequested = false
  const requested = new Promise<void>((resolve) => {
    stop = resolve
  })
  const listener = (signal?: NodeJS.Signals) => {
    if (isRequested && signal === 'SIGINT') onSecondInterrupt()
    isRequested = true
    stop()
  }
  for (const signal of stopSignals) signals.on(signal, listener)
  const stopWatchingParent = endsWithParent ? onParentEnd(listener) : undefined
  return {
    requested,
    release() {
      stopWatchingParent?.()
      for (const signal of stopSignals) signals.off(signal, listener)
    },
  }
}
