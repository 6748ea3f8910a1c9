import { stringifyJson } from '@heddle/json'
import type { ChatMessage } from '../trajectory.ts'
import { readMessages, readObject, readTools, type Refuse, refuseLine } from './data-line.ts'
import type { SftConversation } from './sft-example.ts'

/** Two continuations of one prompt. Only the continuations are learned. */
export interface PreferencePair {
  chosen: SftConversation
  rejected: SftConversation
}

/** What a line holds, by the names that it uses. */
interface PairFields {
  prompt: ChatMessage[]
  chosen: { name: string; value: unknown }
  rejected: { name: string; value: unknown }
  tools: unknown[] | null
}

/**
 * A line of preference data. Either `prompt` (messages, or a text of the user), `chosen` and `rejected` (each a text of the assistant, a message or
 * messages), without a prompt where both begin with the same messages; or `input.messages`, `preferred_output` and `non_preferred_output`. Null for a
 * blank line.
 * @throws TrainingInputError that names the line and the reason
 */
export function parsePreferenceLine(line: string, lineNumber: number): PreferencePair | null {
  if (line.trim() === '') return null
  const refuse = refuseLine(lineNumber)
  const { prompt: given, chosen, rejected, tools } = readFields(readObject(line, refuse), refuse)
  const [left, right] = [chosen, rejected].map((each) => readContinuation(each, refuse)) as [ChatMessage[], ChatMessage[]]
  const shared = given.length > 0 ? 0 : countShared(left, right)
  const prompt = [...given, ...left.slice(0, shared)]
  if (prompt.length === 0) return refuse('has no `prompt`, and its `chosen` and `rejected` do not begin with the same messages')
  const unlearned = new Set(prompt.keys())
  const pairOf = (messages: ChatMessage[]) => ({ messages: [...prompt, ...messages.slice(shared)], tools, unlearned })
  return { chosen: pairOf(left), rejected: pairOf(right) }
}

function readFields(value: Record<string, unknown>, refuse: Refuse): PairFields {
  const { input, prompt, messages } = value
  if (input !== undefined) {
    const inside = typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {}
    return {
      prompt: readMessages(inside['messages'], 'input.messages', refuse),
      chosen: { name: 'preferred_output', value: value['preferred_output'] },
      rejected: { name: 'non_preferred_output', value: value['non_preferred_output'] },
      tools: readTools(inside, refuse),
    }
  }
  return {
    prompt: readPrompt(prompt ?? messages, refuse),
    chosen: { name: 'chosen', value: value['chosen'] },
    rejected: { name: 'rejected', value: value['rejected'] },
    tools: readTools(value, refuse),
  }
}

function readPrompt(prompt: unknown, refuse: Refuse): ChatMessage[] {
  if (prompt == null) return []
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : readMessages(prompt, 'prompt', refuse)
}

function readContinuation({ name, value }: { name: string; value: unknown }, refuse: Refuse): ChatMessage[] {
  if (typeof value === 'string') return [{ role: 'assistant', content: value }]
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value)
  const messages = readMessages(isOne ? [value] : value, name, refuse)
  const { role } = messages.at(-1)!
  if (role !== 'assistant') return refuse(`ends \`${name}\` with a message of role "${role}"; the last must be of the assistant`)
  return messages
}

/** Messages at the beginning that are the same in both; at least one message of each is left. */
function countShared(left: readonly ChatMessage[], right: readonly ChatMessage[]): number {
  const most = Math.min(left.length, right.length) - 1
  const at = left.findIndex((message, index) => index >= most || stringifyJson(message) !== stringifyJson(right[index]))
  return Math.max(at, 0)
}
