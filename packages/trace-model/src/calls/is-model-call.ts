import { callNamePaths, callWordsOf, memberOf } from '@heddle/core-api/internal'

/**
 * Whether a call is a request to a model: text, embeddings, reranking, images or audio. Agents, chains and tools are not, whatever usage they
 * report; neither are the outer spans of one client that wrap its requests (`ai.generateText` around `ai.generateText.doGenerate`).
 * A call that names no operation is one if it reports usage and nothing marks it as a tool or an agent.
 */
export function isModelCall(attributes: unknown, reportsUsage: boolean): boolean {
  const [word] = callWordsOf(attributes)
  return word?.callsModel ?? (reportsUsage && !callNamePaths.some((path) => isText(memberOf(attributes, path))))
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
