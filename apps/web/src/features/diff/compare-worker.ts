import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { compareLimitMs, compareTexts } from './compare-texts.ts'
import { diffJson } from './json-diff/diff-json.ts'
import { toReport } from './json-diff/differences-report.ts'

/**
 * A request of the page: two texts line by line, or two JSON texts part by part. The answer to the latter is JSON text too, since messages cannot
 * carry exact numbers.
 */
export interface Question {
  kind: 'texts' | 'json'
  before: string
  after: string
}

/** Runs in a separate thread, so that the page responds while long texts and values are compared. */
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if (data.kind === 'texts') postMessage({ answer: compareTexts(data.before, data.after) })
  else
    postMessage({
      answer: stringifyJson(toReport(diffJson(parseExactJson(data.before), parseExactJson(data.after), compareLimitMs)) ?? null),
    })
})
