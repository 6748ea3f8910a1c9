import type { ChatCompletion, ChatCompletionChunk, ModelResponse, ResponseEvent, ResponseItem } from '@heddle/core-api/types'
import { emptyResponse, endedResponse, OutputItems, type ResponseHead } from './to-response.ts'

type ChunkChoice = ChatCompletionChunk['choices'][number]
type Logprobs = NonNullable<NonNullable<ChunkChoice['logprobs']>['content']>
type WithoutNumber<E> = E extends unknown ? Omit<E, 'sequence_number'> : never
type Event = WithoutNumber<ResponseEvent>

/**
 * The events of a response, from the chunks of a completion with one choice. `onEnd` is called with the whole response before its last event, and
 * ends the stream with an error if it fails.
 */
export async function* toResponseEvents(
  head: ResponseHead,
  chunks: AsyncIterable<ChatCompletionChunk>,
  onEnd: (response: ModelResponse) => Promise<void>,
): AsyncGenerator<Event> {
  const output = new OpenItems(head)
  let last: ChatCompletionChunk | undefined
  for await (const chunk of chunks) {
    if (last === undefined) {
      yield { type: 'response.created', response: emptyResponse(head) }
      yield { type: 'response.in_progress', response: emptyResponse(head) }
    }
    last = chunk
    yield* output.write(chunk.choices[0]!)
  }
  const finishReason = last!.choices[0]!.finish_reason!
  yield* output.end(finishReason === 'length')
  const response = endedResponse(head, { output: output.list, finishReason, usage: last!.usage as ChatCompletion['usage'] })
  await onEnd(response)
  yield { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response }
}

/** Events with their numbers. */
export async function* numbered(events: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  let sequence_number = 0
  for await (const event of events) yield { ...(event as object), sequence_number: sequence_number++ }
}

/** One item is open at a time. */
class OpenItems {
  readonly #items: OutputItems
  /** Log-probabilities of tokens without a text, which the next text reports. */
  #waiting: Logprobs = []
  #open: ResponseItem | null = null

  constructor(head: ResponseHead) {
    this.#items = new OutputItems(head)
  }

  get list(): ResponseItem[] {
    return this.#items.list
  }

  *write({ delta, logprobs }: ChunkChoice): Generator<Event> {
    const { reasoning, content, tool_calls: calls } = delta
    this.#waiting.push(...this.#items.shown(logprobs?.content ?? []))
    if (reasoning) yield* this.#addReasoning(reasoning)
    if (content) yield* this.#addText(content)
    for (const { id, function: called } of calls ?? []) {
      if (id) yield* this.#begin(this.#items.add({ type: 'function_call', call_id: id, name: called.name!, arguments: '' }))
      if (called.arguments && this.#open?.type === 'function_call') {
        this.#open.arguments += called.arguments
        yield { type: 'response.function_call_arguments.delta', ...this.#place(this.#open), delta: called.arguments }
      }
    }
  }

  /** Closes the last item; a response without any has an empty message. */
  *end(isCut: boolean): Generator<Event> {
    if (this.list.length === 0) yield* this.#begin(this.#items.add({ type: 'message', text: '', logprobs: [] }))
    if (this.#open?.type === 'message') this.#open.content[0]!.logprobs.push(...this.#waiting)
    yield* this.#close(isCut ? 'incomplete' : 'completed')
  }

  *#addReasoning(text: string): Generator<Event> {
    if (this.#open?.type !== 'reasoning') yield* this.#begin(this.#items.add({ type: 'reasoning', text: '' }))
    if (this.#open?.type !== 'reasoning') return
    this.#open.content[0]!.text += text
    yield { type: 'response.reasoning_text.delta', ...this.#place(this.#open), content_index: 0, delta: text }
  }

  *#addText(text: string): Generator<Event> {
    if (this.#open?.type !== 'message') yield* this.#begin(this.#items.add({ type: 'message', text: '', logprobs: [] }))
    if (this.#open?.type !== 'message') return
    const [part] = this.#open.content
    const logprobs = this.#waiting.splice(0)
    part!.text += text
    part!.logprobs.push(...logprobs)
    yield { type: 'response.output_text.delta', ...this.#place(this.#open), content_index: 0, delta: text, logprobs }
  }

  *#begin(item: ResponseItem): Generator<Event> {
    yield* this.#close('completed')
    this.#open = item
    const { item_id, output_index } = this.#place(item)
    const begun: ResponseItem =
      item.type === 'function_call' ? { ...item, status: 'in_progress' } : { ...item, status: 'in_progress', content: [] }
    yield { type: 'response.output_item.added', output_index, item: begun }
    if (item.type === 'function_call') return
    yield { type: 'response.content_part.added', item_id, output_index, content_index: 0, part: structuredClone(item.content[0]!) }
  }

  *#close(status: 'completed' | 'incomplete'): Generator<Event> {
    const item = this.#open
    this.#open = null
    if (item === null) return
    const place = this.#place(item)
    if (item.type === 'function_call') {
      yield { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments }
    } else {
      const part = structuredClone(item.content[0]!)
      yield part.type === 'reasoning_text'
        ? { type: 'response.reasoning_text.done', ...place, content_index: 0, text: part.text }
        : { type: 'response.output_text.done', ...place, content_index: 0, text: part.text, logprobs: part.logprobs }
      yield { type: 'response.content_part.done', ...place, content_index: 0, part }
    }
    yield { type: 'response.output_item.done', output_index: place.output_index, item: { ...structuredClone(item), status } }
  }

  #place(item: ResponseItem): { item_id: string; output_index: number } {
    return { item_id: item.id, output_index: this.list.indexOf(item) }
  }
}
