import type { ChatCompletion, ModelResponse, ResponseItem, ResponseRequest } from '@heddle/core-api/types'
import { calledFunction } from './namespaces.ts'
import { asksLogprobs } from './to-chat-request.ts'

type Choice = ChatCompletion['choices'][number]
type Logprobs = NonNullable<Choice['logprobs']>['content']

/** What a response is about, before it has output. */
export interface ResponseHead {
  id: string
  /** Unix seconds. */
  createdAt: number
  request: ResponseRequest
}

/** A response before its first token. */
export function emptyResponse({ id, createdAt, request }: ResponseHead): ModelResponse {
  const { model, instructions, previous_response_id, store, metadata, temperature, top_p, max_output_tokens, tools, text, reasoning } =
    request
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: model!,
    output: [],
    usage: null,
    instructions,
    previous_response_id,
    store,
    metadata: metadata ?? {},
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    temperature,
    top_p,
    max_output_tokens,
    tool_choice: request.tool_choice ?? 'auto',
    tools: tools ?? [],
    text: { format: { type: 'text' }, ...text },
    reasoning,
    truncation: 'disabled',
  }
}

/** The response that a completion with one choice is. */
export function toResponse(head: ResponseHead, { choices, usage }: ChatCompletion): ModelResponse {
  const { message, logprobs, finish_reason } = choices[0]!
  const { reasoning, content, tool_calls: calls } = message
  const items = new OutputItems(head)
  if (reasoning) items.add({ type: 'reasoning', text: reasoning })
  if (content || (!reasoning && !calls?.length)) items.add({ type: 'message', text: content ?? '', logprobs: logprobs?.content ?? [] })
  for (const { id, function: called } of calls ?? []) items.add({ type: 'function_call', call_id: id, ...called })
  return endedResponse(head, { output: items.list, finishReason: finish_reason, usage })
}

export interface ResponseEnd {
  output: ResponseItem[]
  finishReason: Choice['finish_reason']
  usage: ChatCompletion['usage']
}

/** A response whose last item is incomplete if it ran out of tokens. */
export function endedResponse(head: ResponseHead, { output, finishReason, usage }: ResponseEnd): ModelResponse {
  const isCut = finishReason === 'length'
  return {
    ...emptyResponse(head),
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output: output.map((item, index) => (isCut && index === output.length - 1 ? { ...item, status: 'incomplete' } : item)),
    usage: {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: { cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0 },
      output_tokens: usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.total_tokens,
    },
  }
}

type NewItem =
  | { type: 'reasoning'; text: string }
  | { type: 'message'; text: string; logprobs: NonNullable<Logprobs> }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }

/** The items of a response, with their ids. */
export class OutputItems {
  readonly list: ResponseItem[] = []
  readonly #suffix: string
  readonly #hasLogprobs: boolean
  readonly #tools: ResponseRequest['tools']

  constructor({ id, request }: ResponseHead) {
    this.#suffix = id.replace(/^resp_/, '')
    this.#hasLogprobs = asksLogprobs(request)
    this.#tools = request.tools
  }

  add(given: NewItem): ResponseItem {
    const item = this.#toItem(given, `${this.#suffix}_${this.list.length}`)
    this.list.push(item)
    return item
  }

  /** The log-probabilities that a part of the response shows. */
  shown(logprobs: Logprobs): NonNullable<Logprobs> {
    return this.#hasLogprobs ? (logprobs ?? []) : []
  }

  #toItem(given: NewItem, id: string): ResponseItem {
    const status = 'completed'
    switch (given.type) {
      case 'reasoning': {
        const content = [{ type: 'reasoning_text' as const, text: given.text }]
        return { type: 'reasoning', id: `rs_${id}`, summary: [], content, encrypted_content: null, status }
      }
      case 'message': {
        const text = { type: 'output_text' as const, text: given.text, annotations: [], logprobs: this.shown(given.logprobs) }
        return { type: 'message', id: `msg_${id}`, role: 'assistant', content: [text], status }
      }
      case 'function_call':
        return { ...given, ...calledFunction(this.#tools, given.name), id: `fc_${id}`, status }
    }
  }
}
