import { startWorker } from '../../app/start-worker.ts'
import type { TextComparison } from './compare-texts.ts'
// oxlint-disable-next-line import/default -- the build gives the address
import workerUrl from './compare-worker.ts?worker&url'

/**
 * Compares two texts beside the page, which responds meanwhile.
 * @throws Error when the thread of the comparison fails; the reason of the signal when it is given up
 */
export function compareApart(before: string, after: string, signal: AbortSignal): Promise<TextComparison> {
  const worker = startWorker(workerUrl)
  const compared = new Promise<TextComparison>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<{ parts: TextComparison }>) => resolve(data.parts))
    worker.addEventListener('error', ({ message }) => reject(new Error(`the texts could not be compared: ${message}`)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage({ before, after })
  })
  return compared.finally(() => worker.terminate())
}
