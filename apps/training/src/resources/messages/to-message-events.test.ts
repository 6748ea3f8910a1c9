import type { ChatCompletionChunk, MessageEvent } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { toMessageEvents } from './to-message-events.ts'

type Choice = ChatCompletionChunk['choices'][number]

async function eventsOf(...parts: Partial<Choice>[]): Promise<MessageEvent[]> {
  async function* chunks(): AsyncGenerator<ChatCompletionChunk> {
    for (const part of parts) {
      const choice = { index: 0, delta: {}, finish_reason: null, ...part }
      const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
      yield {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'm',
        choices: [choice],
        ...(part.finish_reason && { usage }),
      }
    }
  }
  const events: MessageEvent[] = []
  for await (const event of toMessageEvents(chunks(), 7)) events.push(event)
  return events
}

test('reasoning, text and calls are blocks that follow each other', async () => {
  const events = await eventsOf(
    { delta: { role: 'assistant', content: '' } },
    { delta: { reasoning: 'h', reasoning_content: 'h' } },
    { delta: { reasoning: 'm', reasoning_content: 'm', content: 'so' } },
    { delta: { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'add', arguments: '' } }] } },
    { delta: { tool_calls: [{ index: 0, function: { arguments: '{"a":1.0}' } }] }, finish_reason: 'tool_calls' },
  )
  const usage = { input_tokens: 7, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  expect(events).toEqual([
    { type: 'message_start', message },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'h' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'm' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: null } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'so' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'c', name: 'add', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":1.0}' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { ...usage, output_tokens: 3 } },
    { type: 'message_stop' },
  ])
})

test.each([
  ['stop', null, { stop_reason: 'end_turn', stop_sequence: null }],
  ['stop', 'END', { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
  ['stop', 17, { stop_reason: 'end_turn', stop_sequence: null }],
  ['length', null, { stop_reason: 'max_tokens', stop_sequence: null }],
  ['tool_calls', 'END', { stop_reason: 'tool_use', stop_sequence: null }],
] as const)('an end for the reason %j by %j is named as clients know it', async (finish_reason, stop_reason, delta) => {
  const events = await eventsOf({ delta: { role: 'assistant', content: '' } }, { finish_reason, stop_reason })
  expect(events.map(({ type }) => type)).toEqual(['message_start', 'ping', 'message_delta', 'message_stop'])
  expect(events[2]).toMatchObject({ delta })
})
