import type { BlockDelta, ChatCompletionChunk, MessageBlock, MessageEvent, ModelMessage } from '@heddle/core-api/types'
import { emptyMessage, toMessageUsage, toStop } from './to-message.ts'

type Delta = ChatCompletionChunk['choices'][number]['delta']

/**
 * The events of a message, from the chunks of a completion with one choice. There is a chunk at least, and the last one has the reason for the end and
 * the usage.
 */
export async function* toMessageEvents(chunks: AsyncIterable<ChatCompletionChunk>, promptTokens: number): AsyncGenerator<MessageEvent> {
  const blocks = new OpenBlocks()
  const tokens = new StreamedTokens()
  let last: ChatCompletionChunk | undefined
  for await (const chunk of chunks) {
    if (last === undefined) {
      yield { type: 'message_start', message: emptyMessage({ ...chunk, promptTokens }) }
      yield { type: 'ping' }
    }
    last = chunk
    tokens.add(chunk)
    yield* blocks.write(chunk.choices[0]!.delta)
  }
  yield* blocks.end()
  const { choices, usage } = last!
  const { finish_reason, stop_reason } = choices[0]!
  yield {
    type: 'message_delta',
    delta: toStop({ finish_reason: finish_reason!, stop_reason }),
    usage: toMessageUsage({ prompt: promptTokens, completion: usage!.completion_tokens }),
    ...tokens.all(),
  }
  yield { type: 'message_stop' }
}

type SampledTokens = Pick<ModelMessage, 'token_ids' | 'prompt_token_ids' | 'logprobs'>

/** What the chunks say of tokens, together: no event of a block has a place for it. */
class StreamedTokens {
  readonly #tokenIds: number[] = []
  readonly #entries: NonNullable<SampledTokens['logprobs']>['content'] & object = []
  #promptTokenIds: number[] | undefined

  add({ choices, prompt_token_ids }: ChatCompletionChunk): void {
    this.#promptTokenIds ??= prompt_token_ids ?? undefined
    for (const { token_ids, logprobs } of choices) {
      for (const id of token_ids ?? []) this.#tokenIds.push(id)
      for (const entry of logprobs?.content ?? []) this.#entries.push(entry)
    }
  }

  /** Nothing where the request did not ask for the ids of tokens. */
  all(): SampledTokens {
    if (this.#promptTokenIds === undefined) return {}
    return { token_ids: this.#tokenIds, prompt_token_ids: this.#promptTokenIds, logprobs: { content: this.#entries } }
  }
}

/** One block is open at a time. */
class OpenBlocks {
  #index = -1
  #open: MessageBlock['type'] | null = null

  #delta(delta: BlockDelta): MessageEvent {
    return { type: 'content_block_delta', index: this.#index, delta }
  }

  *write({ reasoning, content, tool_calls }: Delta): Generator<MessageEvent> {
    if (reasoning) yield* this.#add({ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: reasoning })
    if (content) yield* this.#add({ type: 'text', text: '', citations: null }, { type: 'text_delta', text: content })
    for (const { id, function: called } of tool_calls ?? []) {
      if (id) yield* this.#begin({ type: 'tool_use', id, name: called.name!, input: {} })
      if (called.arguments) yield this.#delta({ type: 'input_json_delta', partial_json: called.arguments })
    }
  }

  *end(): Generator<MessageEvent> {
    if (this.#open !== null) yield { type: 'content_block_stop', index: this.#index }
    this.#open = null
  }

  *#add(block: MessageBlock, delta: BlockDelta): Generator<MessageEvent> {
    if (this.#open !== block.type) yield* this.#begin(block)
    yield this.#delta(delta)
  }

  *#begin(block: MessageBlock): Generator<MessageEvent> {
    yield* this.end()
    this.#open = block.type
    this.#index += 1
    yield { type: 'content_block_start', index: this.#index, content_block: block }
  }
}
