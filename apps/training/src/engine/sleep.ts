import { setTimeout } from 'node:timers/promises'

/** Waits between attempts. Rejects with the reason of the signal as soon as it aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
