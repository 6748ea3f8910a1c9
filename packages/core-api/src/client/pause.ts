import { onAbort } from './on-abort.ts'

/** Waits. Rejects with the signal's reason when it fires first. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave()
      resolve()
    }, delayMs)
    const leave = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    })
  })
}
