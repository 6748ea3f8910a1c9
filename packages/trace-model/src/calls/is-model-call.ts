import { memberOf, valueAt } from '@heddle/core-api/internal'

/** Where a call says which operation it is, the most exact first: the first that is known decides. */
const paths = [
  'operation_name',
  'gen_ai.operation.name',
  'ai.operationId',
  'weave.kind',
  'kind',
  'openinference.span.kind',
  'traceloop.span.kind',
] as const

/** Paths of attributes that `isModelCall` reads. */
export const modelCallPaths: readonly string[] = [...paths, 'tool_name', 'agent_name']

/** Words for calls of a model: chat and text, embeddings, reranking, images and audio. */
const modelWords = new Set(
  [
    'model chat generate_content text_completion completion generation llm llm_request chat_model',
    'embeddings embedding embedder rerank reranker',
    'image_generation generate_image audio_generation speech transcription text_to_speech speech_to_text',
  ].flatMap((words) => words.split(' ')),
)

/** Words for steps that call no model themselves, though what they used in all may be recorded on them. */
const otherWords = new Set(
  [
    'execute_tool tool function',
    'invoke_agent create_agent agent interaction',
    'retrieval retriever search',
    'evaluate evaluator evaluation scorer score guardrail',
    'chain flow workflow invoke_workflow task parser prompt span event memory util action',
  ].flatMap((words) => words.split(' ')),
)

/**
 * Whether a call is a request to a model: text, embeddings, reranking, images or audio. Agents, chains and tools are not, whatever usage they
 * report; neither are the outer spans of one client that wrap its requests (`ai.generateText` around `ai.generateText.doGenerate`).
 * A call that names no operation is one if it reports usage and nothing marks it as a tool or an agent.
 */
export function isModelCall(attributes: unknown, reportsUsage: boolean): boolean {
  for (const path of paths) {
    const word = valueAt(attributes, path)
    const known = typeof word === 'string' ? isModelWord(word) : undefined
    if (known !== undefined) return known
  }
  return reportsUsage && !isText(memberOf(attributes, 'tool_name')) && !isText(memberOf(attributes, 'agent_name'))
}

/** Undefined for a word that is not known. */
function isModelWord(word: string): boolean | undefined {
  const lower = word.toLowerCase()
  if (modelWords.has(lower)) return true
  if (otherWords.has(lower)) return false
  const [, inner] = /^ai\.[a-zA-Z]+(\.do[A-Z][a-zA-Z]*)?$/.exec(word) ?? []
  return word.startsWith('ai.') ? inner !== undefined : undefined
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
