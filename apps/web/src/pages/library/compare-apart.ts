import { startWorker } from '../../app/start-worker.ts'
import type { TextComparison } from './compare-texts.ts'
import type { Question } from './compare-worker.ts'
// oxlint-disable-next-line import/default -- the build gives the address
import workerUrl from './compare-worker.ts?worker&url'
import type { SentDifferences } from './json-diff/sent-differences.ts'

/**
 * Compares two texts beside the page, which responds meanwhile.
 * @throws Error when the thread of the comparison fails; the reason of the signal when it is given up
 */
export const compareApart = (before: string, after: string, signal: AbortSignal): Promise<TextComparison> =>
  answerOf<TextComparison>({ kind: 'texts', before, after }, signal)

/**
 * Compares two values of JSON beside the page. Undefined where it took longer than the limit, or a value is too deep.
 * @throws Error when the thread of the comparison fails; the reason of the signal when it is given up
 */
export const compareJsonApart = (before: unknown, after: unknown, signal: AbortSignal): Promise<SentDifferences | undefined> =>
  answerOf<SentDifferences | undefined>({ kind: 'json', before, after }, signal)

function answerOf<Answer>(question: Question, signal: AbortSignal): Promise<Answer> {
  const worker = startWorker(workerUrl)
  const compared = new Promise<Answer>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<{ answer: Answer }>) => resolve(data.answer))
    worker.addEventListener('error', ({ message }) => reject(new Error(`the texts could not be compared: ${message}`)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(question)
  })
  return compared.finally(() => worker.terminate())
}
