import { memberOf, nestingsOf, valueNamed } from '../../shapes/members.ts'
import type { Call } from './call-records.ts'
import { type CallKind, callWordsOf, evaluationMarkPaths } from './call-words.ts'

/**
 * The kind of a call: from the operation of its span, else from its declared kind, else from attributes that mark it as part of an evaluation, as a
 * tool or as an agent. A call without any of these is a model call if it has its own usage.
 * @example
 * callKindOf({ op_name: 'search', attributes: { tool_name: 'search' } }) // 'tool'
 */
export function callKindOf({ op_name, attributes }: Pick<Call, 'op_name' | 'attributes'>, hasOwnUsage = false): CallKind {
  const named = callWordsOf(attributes).find(({ kind }) => kind !== undefined)?.kind
  if (named !== undefined) return named
  if (isOfEvaluation(attributes) || evaluationOp.test(op_name)) return 'evaluation'
  if (isText(memberOf(attributes, 'tool_name'))) return 'tool'
  if (hasOwnUsage) return 'model'
  return isText(memberOf(attributes, 'agent_name')) ? 'agent' : 'other'
}

/** An op of an evaluation, or the `score` of a scorer, as a plain name or in a reference. */
const evaluationOp = /(?:^|\/op\/)(?:Evaluation\.\w|[^:/]+\.score(?::|$))/

const nestingsOfMarks = evaluationMarkPaths.map(nestingsOf)

const isOfEvaluation = (attributes: unknown) => nestingsOfMarks.some((nestings) => String(valueNamed(attributes, nestings)) === 'true')

const isText = (value: unknown) => typeof value === 'string' && value !== ''
