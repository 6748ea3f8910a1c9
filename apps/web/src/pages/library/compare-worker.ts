import { compareLimitMs, compareTexts } from './compare-texts.ts'
import { diffJson } from './json-diff/diff-json.ts'
import { toSent } from './json-diff/sent-differences.ts'

/** What the page asks for: two texts line by line, or two values of JSON part by part. */
export type Question = { kind: 'texts'; before: string; after: string } | { kind: 'json'; before: unknown; after: unknown }

/** Runs in a thread of its own, so that the page responds while long texts and values are compared. */
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if (data.kind === 'texts') postMessage({ answer: compareTexts(data.before, data.after) })
  else postMessage({ answer: toSent(diffJson(data.before, data.after, compareLimitMs)) })
})
