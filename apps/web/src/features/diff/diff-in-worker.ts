import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { startWorker } from '../../lib/start-worker.ts'
import type { TextComparison } from './compare-texts.ts'
import type { Question } from './compare-worker.ts'
// oxlint-disable-next-line import/default -- the build gives the address
import workerUrl from './compare-worker.ts?worker&url'
import type { DifferencesReport } from './json-diff/differences-report.ts'

/**
 * Compares two texts in a worker, so that the page remains responsive.
 * @throws Error if the worker fails; the reason of the signal if it aborts
 */
export const diffInWorker = (before: string, after: string, signal: AbortSignal): Promise<TextComparison> =>
  answerOf({ kind: 'texts', before, after }, signal) as Promise<TextComparison>

/**
 * Compares two JSON values in a worker, with exact numbers. Undefined if it took longer than the limit, or a value is too deep.
 * @throws Error if the worker fails; the reason of the signal if it aborts
 */
export async function compareJsonApart(before: unknown, after: unknown, signal: AbortSignal): Promise<DifferencesReport | undefined> {
  const answer = await answerOf({ kind: 'json', before: stringifyJson(before), after: stringifyJson(after) }, signal)
  return (parseExactJson(answer as string) as DifferencesReport | null) ?? undefined
}

function answerOf(question: Question, signal: AbortSignal): Promise<unknown> {
  const worker = startWorker(workerUrl)
  const compared = new Promise<unknown>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<{ answer: unknown }>) => resolve(data.answer))
    worker.addEventListener('error', ({ message }) => reject(new Error(`the texts could not be compared: ${message}`)))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(question)
  })
  return compared.finally(() => worker.terminate())
}
