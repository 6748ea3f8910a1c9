import { EngineError } from '../engine.ts'

/** Ends work after a time. @throws EngineError `unavailable` that says what was not done */
export async function inTime<T>(ms: number, notDone: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms)
  try {
    return await work(signal)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new EngineError('unavailable', `${notDone} within ${Math.round(ms / 1_000)} s`, { cause: error })
  }
}
