import type { SftConversation } from './sft-example.ts'
import { toFunctionTools } from '../tokenize-trajectory.ts'
import type { ChatMessage } from '../trajectory.ts'
import { TrainingInputError } from '../training-input-error.ts'

/**
 * A line of training data: an object with `messages`, the last of the assistant, and perhaps `tools`; other keys are ignored. Null for a blank line.
 * @throws TrainingInputError that names the line and the reason
 */
export function parseSftLine(line: string, lineNumber: number): SftConversation | null {
  if (line.trim() === '') return null
  const refuse = (reason: string): never => {
    throw new TrainingInputError(`line ${lineNumber} of the training data ${reason}`)
  }
  const value = parseObject(line) ?? refuse('is not a JSON object')
  const { messages, tools } = value
  if (!Array.isArray(messages) || messages.length === 0) return refuse('has no `messages`')
  const bad = messages.findIndex((message) => !isMessage(message))
  if (bad !== -1) return refuse(`has no \`role\` in its message ${bad}, or content that is neither text nor a list of parts`)
  const last = messages.at(-1) as ChatMessage
  if (last.role !== 'assistant') return refuse(`ends with a message of role "${last.role}"; the last must be of the assistant`)
  if (tools != null && !Array.isArray(tools)) return refuse('has `tools` that are not a list')
  return { messages: messages as ChatMessage[], tools: toFunctionTools(tools as unknown[] | null) }
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function isMessage(value: unknown): value is ChatMessage {
  if (typeof value !== 'object' || value === null) return false
  const { role, content } = value as { role?: unknown; content?: unknown }
  return typeof role === 'string' && (content == null || typeof content === 'string' || (Array.isArray(content) && content.every(isPart)))
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
