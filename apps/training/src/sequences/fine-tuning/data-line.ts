import { isApiError } from '@heddle/core-api'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { toFunctionTools } from '../tokenize-trajectory.ts'
import type { ChatMessage } from '../trajectory.ts'
import { TrainingInputError } from '../training-input-error.ts'

export type Refuse = (reason: string) => never

/** Refuses a line of training data, which it names. */
export function refuseLine(lineNumber: number): Refuse {
  return (reason) => {
    throw new TrainingInputError(`line ${lineNumber} of the training data ${reason}`)
  }
}

/** Numbers keep their written form, so that the chat template writes them as in the prompt of a completion. */
export function readObject(line: string, refuse: Refuse): Record<string, unknown> {
  const value = parse(line, refuse)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  return refuse(Array.isArray(value) ? 'is a JSON list; write each of its objects in a line of its own' : 'is not a JSON object')
}

function parse(line: string, refuse: Refuse): unknown {
  try {
    return parseExactly(line)
  } catch (error) {
    if (!isApiError(error)) throw error
    return refuse(`is not a JSON object: ${error.issues?.[0]?.msg ?? error.message}`)
  }
}

/** The messages under a name of the line. */
export function readMessages(value: unknown, name: string, refuse: Refuse): ChatMessage[] {
  if (!Array.isArray(value) || value.length === 0) return refuse(`has no \`${name}\`, a list of objects with \`role\` and \`content\``)
  const bad = value.findIndex((message) => !isMessage(message))
  const place = name === 'messages' ? `message ${bad}` : `message ${bad} of \`${name}\``
  if (bad !== -1) return refuse(`has no \`role\` in its ${place}, or content that is neither text nor a list of parts`)
  return value as ChatMessage[]
}

export function readTools({ tools, functions }: Record<string, unknown>, refuse: Refuse): unknown[] | null {
  for (const [key, list] of Object.entries({ tools, functions }))
    if (list != null && !Array.isArray(list)) return refuse(`has \`${key}\` that are not a list`)
  if (tools != null && functions != null) return refuse('has both `tools` and `functions`; send one of them')
  return toFunctionTools((tools ?? functions) as unknown[] | null)
}

function isMessage(value: unknown): value is ChatMessage {
  if (typeof value !== 'object' || value === null) return false
  const { role, content } = value as { role?: unknown; content?: unknown }
  return typeof role === 'string' && (content == null || typeof content === 'string' || (Array.isArray(content) && content.every(isPart)))
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
