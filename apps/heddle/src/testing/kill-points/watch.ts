import type { KillPoint } from './kill-point.ts'

/** Waits for the operation of a kill point. */
export interface Watch {
  /** Counts an operation that is about to begin. Returns the moment of it at which to call `end`; undefined for each other one. */
  due(operation: string): KillPoint['moment'] | undefined
  /** Moves the kill point to the next operation of the same name, because the one that was due failed and never completed. */
  postpone(): void
  /** Ends the victim of the point. */
  end(): void
}

export interface WatchOptions {
  point: KillPoint
  /** Whether operations count yet. */
  isCounting: () => boolean
  end: () => void
}

export function createWatch({ point, isCounting, end }: WatchOptions): Watch {
  let count = 0
  let isTaken = false
  return {
    due(operation) {
      if (operation !== point.operation || !isCounting()) return undefined
      count++
      if (isTaken || count < point.at) return undefined
      isTaken = true
      return point.moment
    },
    postpone: () => void (isTaken = false),
    end,
  }
}

/** Does an operation. `begin` does the first half of it. */
export async function watched<T>(watch: Watch, operation: string, work: () => Promise<T>, begin?: () => Promise<unknown>): Promise<T> {
  const due = watch.due(operation)
  if (due === 'before') watch.end()
  if (due === 'within') {
    await begin?.()
    watch.end()
  }
  const result = await work().catch((error: unknown) => {
    if (due === 'after') watch.postpone()
    throw error
  })
  if (due === 'after') watch.end()
  return result
}

/** The same for what is done at once. */
export function watchedNow<T>(watch: Watch, operation: string, work: () => T): T {
  const due = watch.due(operation)
  if (due === 'before') watch.end()
  try {
    const result = work()
    if (due === 'after') watch.end()
    return result
  } catch (error) {
    if (due === 'after') watch.postpone()
    throw error
  }
}
