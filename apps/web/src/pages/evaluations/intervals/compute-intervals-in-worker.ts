import type { MeasuredRun } from '@heddle/evaluations'
import { startWorker } from '../../../lib/start-worker.ts'
// oxlint-disable-next-line import/default -- the build gives the address
import workerUrl from './intervals-worker.ts?worker&url'
import type { MeasuredColumn } from './measured-columns.ts'

/**
 * Measures of runs with their intervals, computed in a worker, one after the other in the order of the names.
 * @throws Error if the worker fails; the reason of the signal if it aborts
 */
export async function* computeIntervalsInWorker(
  runs: readonly MeasuredRun[],
  names: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<[name: string, columns: MeasuredColumn[]]> {
  const worker = startWorker(workerUrl)
  try {
    for (const name of names) {
      const measures = runs.map((run) => run.measures.get(name))
      yield [name, await answerOf(worker, measures, signal)]
    }
  } finally {
    worker.terminate()
  }
}

function answerOf(worker: Worker, message: unknown, signal: AbortSignal): Promise<MeasuredColumn[]> {
  const ended = new AbortController()
  return new Promise<MeasuredColumn[]>((resolve, reject) => {
    signal.throwIfAborted()
    const listening = { signal: ended.signal }
    signal.addEventListener('abort', () => reject(signal.reason), listening)
    worker.addEventListener('message', ({ data }: MessageEvent<MeasuredColumn[]>) => resolve(data), listening)
    worker.addEventListener('error', ({ message: why }) => reject(new Error(`the intervals could not be computed: ${why}`)), listening)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(message)
  }).finally(() => ended.abort())
}
