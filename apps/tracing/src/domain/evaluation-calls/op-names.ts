import { parseRef } from '@heddle/core-api'

/** Op of the call that holds a trial: a prediction with its scores. */
export const predictAndScoreOp = 'Evaluation.predict_and_score'
/** Op of the call that holds the means of the scores of a run. */
export const summarizeOp = 'Evaluation.summarize'

/** Short op names of trials: the second is that of the JavaScript client. */
const trialOps: ReadonlySet<string> = new Set([predictAndScoreOp, 'Evaluation.predictAndScore'])

/** True for a call that holds a prediction with its scores. */
export function isTrial({ op_short_name }: { op_short_name: string }): boolean {
  return trialOps.has(op_short_name)
}

const maxLength = 128

/** Name of the op that runs a method of a model or scorer: `<name>.<method>`, with a name as ops may have it, cut where it is too long. */
export function methodOp(name: string, method: 'predict' | 'score'): string {
  const safe = name.replaceAll(/[ /]/g, '_').replaceAll(/[^\p{L}\p{N}_.-]/gu, '')
  const cut = Array.from(safe).slice(0, maxLength - method.length - 1)
  return `${cut.join('')}.${method}`
}

/** The name of the object or op that a reference names; undefined for any other text. */
export function nameInRef(text: string): string | undefined {
  const ref = parseRef(text)
  return ref?.kind === 'object' || ref?.kind === 'op' ? ref.name : undefined
}

/** The key under which a trial has the score of a scorer. */
export function scoreKey(scorer: unknown): string {
  if (typeof scorer !== 'string') return 'unknown'
  return nameInRef(scorer) ?? /\/([^/:]+):[^/]*$/.exec(scorer)?.[1] ?? 'unknown'
}
