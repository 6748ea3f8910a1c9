import { memberOf, valueAt } from '../../shapes/members.ts'
import type { Call } from './call-records.ts'

/** What a call did, as far as its row shows it. */
export const callKinds = ['model', 'tool', 'agent', 'retrieval', 'evaluation', 'other'] as const
export type CallKind = (typeof callKinds)[number]

/** What the conventions for spans and calls name an operation or a kind, in lower case. */
const kindOfWord: ReadonlyMap<string, CallKind> = new Map(
  Object.entries({
    model: 'model chat generate_content text_completion llm llm_request chat_model generation completion',
    tool: 'execute_tool tool function',
    agent: 'invoke_agent create_agent agent interaction',
    retrieval: 'embeddings embedding embedder retrieval retriever rerank reranker search',
    evaluation: 'evaluate evaluator evaluation scorer score guardrail',
    // A step that says so uses no model itself, though what it used in all may stand on it.
    other: 'chain flow workflow invoke_workflow task parser prompt span event memory util action',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as CallKind])),
)

/** Where calls and spans say what they did, the most exact first. */
const operationPaths = ['operation_name', 'gen_ai.operation.name', 'ai.operationId'] as const
const kindPaths = ['weave.kind', 'kind', 'openinference.span.kind', 'traceloop.span.kind'] as const

/**
 * What a call did: as the operation of its span says, else the kind that it was given, else what marks it as part of an evaluation, as a tool or as
 * an agent. A call that says none of these used a model when it has usage of its own.
 */
export function callKindOf({ op_name, attributes }: Pick<Call, 'op_name' | 'attributes'>, hasOwnUsage = false): CallKind {
  const named = kindAt(attributes, operationPaths) ?? kindAt(attributes, kindPaths)
  if (named !== undefined) return named
  if (isOfEvaluation(attributes) || evaluationOp.test(op_name)) return 'evaluation'
  if (isText(memberOf(attributes, 'tool_name'))) return 'tool'
  if (hasOwnUsage) return 'model'
  return isText(memberOf(attributes, 'agent_name')) ? 'agent' : 'other'
}

function kindAt(attributes: unknown, paths: readonly string[]): CallKind | undefined {
  for (const path of paths) {
    const word = valueAt(attributes, path)
    const kind = typeof word === 'string' ? (kindOfWord.get(word.toLowerCase()) ?? kindOfFunction(word)) : undefined
    if (kind !== undefined) return kind
  }
  return undefined
}

/** One client names its operations by its functions: `ai.streamText.doStream`. */
function kindOfFunction(word: string): CallKind | undefined {
  if (/^ai\.(?:generate|stream)/.test(word)) return 'model'
  if (/^ai\.(?:embed|rerank)/.test(word)) return 'retrieval'
  return word === 'ai.toolCall' ? 'tool' : undefined
}

/** An op of an evaluation, or the `score` of a scorer, as a plain name or in a reference. */
const evaluationOp = /(?:^|\/op\/)(?:Evaluation\.\w|[^:/]+\.score(?::|$))/

/** Marks of clients: one writes a text, another a boolean. */
const evaluationPaths = ['weave.score', '_weave_eval_meta.score'] as const

const isOfEvaluation = (attributes: unknown) => evaluationPaths.some((path) => String(valueAt(attributes, path)) === 'true')

/** Paths of attributes that say what a call did: all that `callKindOf` reads of them. */
export const callKindPaths: readonly string[] = [...operationPaths, ...kindPaths, ...evaluationPaths, 'tool_name', 'agent_name']

const isText = (value: unknown) => typeof value === 'string' && value !== ''
