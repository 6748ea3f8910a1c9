import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '../json-values.ts'
import { streamedInput } from './message-to-choice.ts'

/** Puts the events of a streamed message together. */
export interface MessageReader {
  add(event: JsonObject): void
  /** The message so far: without a `stop_reason` until its end has arrived. */
  message(): JsonObject
}

type Block = JsonObject & { [streamedInput]?: string }

export function createMessageReader(): MessageReader {
  const blocks = new Map<unknown, Block>()
  let message: JsonObject = {}

  return {
    add(event) {
      const { type, index, delta, content_block: block } = event
      if (type === 'message_start' && isJsonObject(event['message'])) message = { ...event['message'] }
      else if (type === 'content_block_start' && isJsonObject(block)) blocks.set(index, { ...block })
      else if (type === 'content_block_delta' && isJsonObject(delta)) addDelta(blocks.get(index), delta)
      else if (type === 'message_delta' && isJsonObject(delta)) {
        const { type: _type, delta: _delta, usage: _usage, ...added } = event
        message = { ...message, ...added, ...delta }
      }
    },
    message: () => ({ ...message, content: [...blocks.values()] }),
  }
}

function addDelta(block: Block | undefined, { type, text, thinking, partial_json: json }: JsonObject) {
  if (!block) return
  if (type === 'text_delta') block['text'] = `${String(block['text'] ?? '')}${String(text)}`
  if (type === 'thinking_delta') block['thinking'] = `${String(block['thinking'] ?? '')}${String(thinking)}`
  if (type === 'input_json_delta') block[streamedInput] = `${block[streamedInput] ?? ''}${String(json)}`
}
