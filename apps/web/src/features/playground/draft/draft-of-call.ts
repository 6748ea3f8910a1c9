import { printJson, stringifyJson } from '@heddle/json/exact'
import { memberOf } from '@heddle/core-api/internal'
import { type DraftMessage, type Role, roles } from './draft-message.ts'
import { type Draft, noParameters, parameterNames } from './draft.ts'

/** The conversation in the inputs of a model call. */
export interface CallDraft {
  draft: Draft
  /** The model of the call. Empty if its inputs name none. */
  model: string
}

const messageLists = ['messages', 'gen_ai.input.messages', 'input', 'prompt']
const modelNames = ['model', 'gen_ai.request.model']
const maxTokensNames = ['max_tokens', 'max_completion_tokens', 'gen_ai.request.max_tokens']

/** The conversation that a call sent to a model, with its tools and parameters. Undefined for a call that sent none. */
export function draftOfCall(inputs: unknown): CallDraft | undefined {
  const lists = messageLists.map((name) => memberOf(inputs, name)).filter((list) => Array.isArray(list))
  const messages = lists.map((list: unknown[]) => list.flatMap(toDraftMessage)).find((list) => list.length > 0)
  if (!messages) return undefined
  const tools = firstOf(inputs, ['tools', 'gen_ai.tool.definitions'])
  return {
    draft: {
      messages,
      tools: Array.isArray(tools) && tools.length > 0 ? printJson(tools) : '',
      parameters: [parametersOf(inputs)],
    },
    model: textOf(firstOf(inputs, modelNames)),
  }
}

function parametersOf(inputs: unknown) {
  const values = parameterNames.map((name) => {
    const names = name === 'max_tokens' ? maxTokensNames : [name, `gen_ai.request.${name}`]
    return [name, textOf(firstOf(inputs, names)) || noParameters[name]]
  })
  return { ...noParameters, ...Object.fromEntries(values) }
}

function toDraftMessage(value: unknown): DraftMessage[] {
  const role = roleOf(memberOf(value, 'role'))
  if (role === undefined) return []
  const toolCalls = memberOf(value, 'tool_calls')
  const toolCallId = textOf(memberOf(value, 'tool_call_id'))
  return [
    {
      role,
      ...contentOf(memberOf(value, 'content') ?? memberOf(value, 'parts')),
      ...(Array.isArray(toolCalls) && toolCalls.length > 0 && { toolCalls: printJson(toolCalls) }),
      ...(toolCallId !== '' && { toolCallId }),
    },
  ]
}

/** Texts remain texts, also as parts; other parts, such as images, are JSON. */
function contentOf(content: unknown): Pick<DraftMessage, 'content' | 'isParts'> {
  if (content === undefined || content === null) return { content: '' }
  if (typeof content === 'string') return { content }
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  const texts = parts.map((part) => (typeof part === 'string' ? part : textPartOf(part)))
  if (texts.every((text) => text !== undefined)) return { content: texts.join('\n') }
  return { content: printJson(parts), isParts: true }
}

function textPartOf(part: unknown): string | undefined {
  const type = memberOf(part, 'type')
  if (type !== undefined && type !== 'text' && type !== 'input_text' && type !== 'output_text') return undefined
  const text = memberOf(part, 'text') ?? memberOf(part, 'content')
  return typeof text === 'string' ? text : undefined
}

/** Roles of other interfaces have the name that means the same here. */
function roleOf(role: unknown): Role | undefined {
  if (role === 'human') return 'user'
  if (role === 'ai' || role === 'model') return 'assistant'
  if (role === 'function') return 'tool'
  return roles.find((one) => one === role)
}

/** A text, or a number as text: payloads keep numbers in a form that is exact. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const text = value === undefined || value === null ? '' : stringifyJson(value)
  return text !== '' && Number.isFinite(Number(text)) ? text : ''
}

function firstOf(value: unknown, names: readonly string[]): unknown {
  return names.map((name) => memberOf(value, name)).find((member) => member !== undefined && member !== null)
}
