import { parseExactJson } from '@heddle/json/exact'
import { messageOf } from '../../../lib/texts/message-of.ts'
import type { DraftMessage } from './draft-message.ts'
import { fillVariables, type Variables } from './variables.ts'
import { nameOfVariant } from './variants.ts'

/** Parameters as they are typed; an empty one is left to the model. */
export interface Parameters {
  temperature: string
  top_p: string
  max_tokens: string
  seed: string
}
export const parameterNames = ['temperature', 'top_p', 'max_tokens', 'seed'] as const

/** The user's input in the playground. */
export interface Draft {
  /** Messages of the first variant, and of each further one without its own. */
  messages: readonly DraftMessage[]
  /** Messages of further variants, by index, if they differ from the first. */
  own?: Readonly<Record<number, readonly DraftMessage[]>>
  /** Replacements of `{{name}}` in messages. */
  variables?: Variables
  /** JSON list of tools. Empty: none. */
  tools: string
  /** Parameters of each variant, in their order. */
  parameters: readonly Parameters[]
}

export const noParameters: Parameters = { temperature: '', top_p: '', max_tokens: '512', seed: '' }

/** The messages of a variant. */
export const messagesAt = (draft: Draft, at: number): readonly DraftMessage[] => draft.own?.[at] ?? draft.messages

/** The draft with other messages of a variant. A further variant with the same messages as the first follows it. */
export function withMessagesAt(draft: Draft, at: number, messages: readonly DraftMessage[]): Draft {
  if (at === 0) return { ...draft, messages }
  const { [at]: _, ...others } = draft.own ?? {}
  return { ...draft, own: isSame(messages, draft.messages) ? others : { ...others, [at]: messages } }
}

/** The draft with another variant that begins as one does. */
export const withCopyOf = (draft: Draft, at: number, variants: number): Draft => ({
  ...draft,
  parameters: [...parametersOf(draft, variants), parametersAt(draft, at)],
  ...(draft.own?.[at] && { own: { ...draft.own, [variants]: draft.own[at] } }),
})

/** The draft without a variant; those behind it move up. */
export function withoutVariant(draft: Draft, at: number, variants: number): Draft {
  const left = Array.from({ length: variants }, (_, place) => place).filter((place) => place !== at)
  const messages = left.map((place) => messagesAt(draft, place))
  const [first = draft.messages] = messages
  const own = Object.fromEntries(messages.flatMap((one, place) => (place === 0 || isSame(one, first) ? [] : [[place, one]])))
  return { ...draft, messages: first, own, parameters: left.map((place) => parametersAt(draft, place)) }
}

export const parametersAt = (draft: Draft, at: number): Parameters => draft.parameters[at] ?? noParameters

/** Parameters of all variants, in their order. */
export const parametersOf = (draft: Draft, variants: number): Parameters[] =>
  Array.from({ length: variants }, (_, at) => parametersAt(draft, at))

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export const emptyDraft: Draft = { messages: [{ role: 'user', content: '' }], tools: '', parameters: [] }

/** A problem that must be fixed before a draft can be sent. */
export class DraftProblem extends Error {}

/** The messages of a draft as the chat operation takes them. @throws DraftProblem that names the message */
export function toMessages(messages: readonly DraftMessage[]): Record<string, unknown>[] {
  if (messages.length === 0) throw new DraftProblem('Add a message: there is nothing to send.')
  return messages.map(({ role, content, isParts, toolCalls = '', toolCallId = '' }, at) => {
    const name = `message ${at + 1}`
    const calls = role === 'assistant' && toolCalls.trim() !== '' ? parseList(toolCalls, `The tool calls of ${name}`) : undefined
    const value = isParts ? parseList(content, `The content of ${name}`) : content
    return {
      role,
      content: calls && content === '' ? null : value,
      ...(calls && { tool_calls: calls }),
      ...(role === 'tool' && { tool_call_id: toolCallId }),
    }
  })
}

/** The tools of a draft; undefined without any. @throws DraftProblem */
export function toTools(tools: string): unknown[] | undefined {
  const list = tools.trim() === '' ? [] : parseList(tools, 'Tools')
  return list.length > 0 ? list : undefined
}

/** How many tools a draft names. Undefined for none, and for a text that is not a list yet. */
export function countTools(tools: string): number | undefined {
  try {
    return toTools(tools)?.length
  } catch {
    return undefined
  }
}

/** The messages of a variant with the values of their variables. */
export const filledAt = (draft: Draft, at: number): DraftMessage[] =>
  messagesAt(draft, at).map((message) =>
    message.isParts ? message : { ...message, content: fillVariables(message.content, draft.variables ?? {}) },
  )

/** The body of a request of one variant. @throws DraftProblem with the remedy */
export function toBody(draft: Draft, at: number, model: string): Record<string, unknown> {
  const typed = parametersAt(draft, at)
  const given = parameterNames.filter((name) => typed[name].trim() !== '')
  const tools = toTools(draft.tools)
  return {
    model,
    messages: toMessages(filledAt(draft, at)),
    ...(tools && { tools }),
    ...Object.fromEntries(given.map((name) => [name, toNumber(name, typed[name], at)])),
  }
}

function toNumber(name: string, text: string, at: number): number {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new DraftProblem(`${name} of variant ${nameOfVariant(at)} must be a number, got ${JSON.stringify(text.slice(0, 50))}.`)
}

function parseList(text: string, what: string): unknown[] {
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    throw new DraftProblem(`${what} must be a JSON list: ${messageOf(error)}`, { cause: error })
  }
  if (!Array.isArray(value)) throw new DraftProblem(`${what} must be a JSON list, such as []`)
  return value
}
