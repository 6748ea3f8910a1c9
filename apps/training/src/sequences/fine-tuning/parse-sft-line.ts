import { stringifyJson } from '@heddle/json'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { plainNumber } from '../../json-text/plain-number.ts'
import type { SftConversation } from './sft-example.ts'
import { readLearnedTurns } from './learned-turns.ts'
import { toFunctionTools } from '../tokenize-trajectory.ts'
import type { ChatMessage } from '../trajectory.ts'
import { TrainingInputError } from '../training-input-error.ts'

/**
 * A line of training data: an object with `messages`, the last of the assistant, and perhaps `tools` (or the older `functions`). Messages of the
 * assistant are context if `weight`, `train` or `loss_mask` exclude them; other keys are ignored. Numbers keep their written form, so that the chat
 * template writes them as in the prompt of a completion. Null for a blank line.
 * @throws TrainingInputError that names the line and the reason
 */
export function parseSftLine(line: string, lineNumber: number): (SftConversation & { isMaskIgnored: boolean }) | null {
  if (line.trim() === '') return null
  const refuse = (reason: string): never => {
    throw new TrainingInputError(`line ${lineNumber} of the training data ${reason}`)
  }
  const value = parseObject(line) ?? refuse('is not a JSON object')
  const { messages, loss_mask: lossMask, weight } = value
  if (!Array.isArray(messages) || messages.length === 0) return refuse('has no `messages`')
  const bad = messages.findIndex((message) => !isMessage(message))
  if (bad !== -1) return refuse(`has no \`role\` in its message ${bad}, or content that is neither text nor a list of parts`)
  const last = messages.at(-1) as ChatMessage
  if (last.role !== 'assistant') return refuse(`ends with a message of role "${last.role}"; the last must be of the assistant`)
  if (weight !== undefined && weight !== null && plainNumber(weight) !== 1)
    return refuse(`has a \`weight\` of ${stringifyJson(weight)}; lines count alike, and messages alone have a weight, of 0 or 1`)
  const { unlearned, isMaskIgnored } = readLearnedTurns(messages as ChatMessage[], { lossMask, refuse })
  return {
    messages: messages as ChatMessage[],
    tools: readTools(value, refuse),
    ...(unlearned.size > 0 && { unlearned }),
    isMaskIgnored,
  }
}

function readTools({ tools, functions }: Record<string, unknown>, refuse: (reason: string) => never): unknown[] | null {
  for (const [key, list] of Object.entries({ tools, functions }))
    if (list != null && !Array.isArray(list)) return refuse(`has \`${key}\` that are not a list`)
  if (tools != null && functions != null) return refuse('has both `tools` and `functions`; send one of them')
  return toFunctionTools((tools ?? functions) as unknown[] | null)
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseExactly(line)
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
