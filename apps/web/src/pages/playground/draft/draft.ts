/** A message as it is typed. */
export interface DraftMessage {
  role: Role
  /** Text; the JSON of its parts where `isParts`. */
  content: string
  isParts?: boolean
  /** JSON list of the tools that an assistant called. Empty: none. */
  toolCalls?: string
  /** The tool call that a message of a tool answers. */
  toolCallId?: string
}

export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const
export type Role = (typeof roles)[number]

/** Parameters as they are typed; an empty one is left to the model. */
export interface Parameters {
  temperature: string
  top_p: string
  max_tokens: string
  seed: string
}
export const parameterNames = ['temperature', 'top_p', 'max_tokens', 'seed'] as const

/** What is typed in the playground. */
export interface Draft {
  messages: readonly DraftMessage[]
  /** JSON list of tools. Empty: none. */
  tools: string
  /** Of each variant, in their order. */
  parameters: readonly Parameters[]
}

export const maxVariants = 4
export const noParameters: Parameters = { temperature: '', top_p: '', max_tokens: '512', seed: '' }

export const emptyDraft: Draft = { messages: [{ role: 'user', content: '' }], tools: '', parameters: [] }

/** What a person has to change before a draft can be sent. */
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

/** The body of a request of one variant. @throws DraftProblem that says what to change */
export function toBody(draft: Draft, at: number, model: string): Record<string, unknown> {
  const typed = draft.parameters[at] ?? noParameters
  const given = parameterNames.filter((name) => typed[name].trim() !== '')
  const tools = toTools(draft.tools)
  return {
    model,
    messages: toMessages(draft.messages),
    ...(tools && { tools }),
    ...Object.fromEntries(given.map((name) => [name, toNumber(name, typed[name], at)])),
  }
}

function toNumber(name: string, text: string, at: number): number {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new DraftProblem(`${name} of variant ${at + 1} must be a number, got ${JSON.stringify(text.slice(0, 50))}.`)
}

function parseList(text: string, what: string): unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DraftProblem(`${what} must be a JSON list: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  if (!Array.isArray(value)) throw new DraftProblem(`${what} must be a JSON list, such as []`)
  return value
}
