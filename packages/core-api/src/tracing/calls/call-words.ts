import { nestingsOf, valueNamed } from '../../shapes/members.ts'

/** Kind of a call, as far as its row shows it. */
export const callKinds = ['model', 'tool', 'agent', 'retrieval', 'evaluation', 'other'] as const
export type CallKind = (typeof callKinds)[number]

/** The meaning of a word for an operation or a kind. */
export interface CallWord {
  /** Undefined if the word does not determine the kind. */
  kind: CallKind | undefined
  /** It is a request to a model itself: text, embeddings, reranking, images or audio. */
  callsModel: boolean
}

/** Names of operations and kinds in the conventions for spans and calls, in lower case. */
const words: readonly [CallKind, boolean, string][] = [
  ['model', true, 'model chat generate_content text_completion completion generation llm llm_request chat_model'],
  ['model', true, 'image_generation generate_image audio_generation speech transcription text_to_speech speech_to_text'],
  ['retrieval', true, 'embeddings embedding embedder rerank reranker'],
  ['retrieval', false, 'retrieval retriever search'],
  ['tool', false, 'execute_tool tool function'],
  ['agent', false, 'invoke_agent create_agent agent agent.run interaction'],
  ['evaluation', false, 'evaluate evaluator evaluation scorer score guardrail'],
  // These steps use no model themselves, though their total usage may be recorded on them.
  ['other', false, 'chain flow workflow invoke_workflow task parser prompt span event memory util action'],
]

const wordsByText: ReadonlyMap<string, CallWord> = new Map(
  words.flatMap(([kind, callsModel, texts]) => texts.split(' ').map((text) => [text, { kind, callsModel }])),
)

/** Where calls and spans name their operation, and then their kind, the most exact first. */
const wordPaths = [
  'operation_name',
  'gen_ai.operation.name',
  'ai.operationId',
  'weave.kind',
  'kind',
  'openinference.span.kind',
  'traceloop.span.kind',
] as const

/** Marks of clients that evaluate: one writes a text, another a boolean. */
export const evaluationMarkPaths = ['weave.score', '_weave_eval_meta.score'] as const

/** Names whose presence alone marks a call as a tool or agent call. */
export const callNamePaths = ['tool_name', 'agent_name'] as const

/**
 * All attributes that may determine the kind of a call. Stores keep the values in this order, so a path may only be appended, with a migration, and
 * none may be moved.
 */
export const callWordPaths = [...wordPaths, ...evaluationMarkPaths, ...callNamePaths] as const

const nestingsOfWords = wordPaths.map(nestingsOf)

/** The words by which attributes name the operation or the kind of a call, the most exact first; unknown words are omitted. */
export function callWordsOf(attributes: unknown): CallWord[] {
  return nestingsOfWords.flatMap((nestings) => {
    const text = valueNamed(attributes, nestings)
    const word = typeof text === 'string' ? (wordsByText.get(text.toLowerCase()) ?? wordOfFunction(text)) : undefined
    return word ?? []
  })
}

/**
 * One client names its operations by its functions, and its requests to models by inner ones: `ai.streamText.doStream`, in `ai.streamText`, which wraps
 * them.
 */
function wordOfFunction(text: string): CallWord | undefined {
  if (!text.startsWith('ai.')) return undefined
  return { kind: kindOfFunction(text), callsModel: /^ai\.[a-zA-Z]+\.do[A-Z][a-zA-Z]*$/.test(text) }
}

function kindOfFunction(text: string): CallKind | undefined {
  if (/^ai\.(?:generate|stream)/.test(text)) return 'model'
  if (/^ai\.(?:embed|rerank)/.test(text)) return 'retrieval'
  return text === 'ai.toolCall' ? 'tool' : undefined
}
