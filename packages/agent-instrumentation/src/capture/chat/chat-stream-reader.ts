import { parseObject } from '../json-values.ts'
import type { StreamReader } from '../model-api.ts'
import { createChunkReader } from './chat-stream.ts'
import { type ChunkTemplate, toChunkTemplate } from './chunk-template.ts'

/** The last event, which is not JSON. */
const endOfStream = '[DONE]'

/** Chunks that are held before they are read. */
const maxHeld = 256

/** After these the chunks of a stream are taken to have nothing in common. */
const maxTemplates = 16

/**
 * Reads the chunks of a streamed chat completion from their texts. Most differ from the one before in a token and its log-probability alone: those are held,
 * and read together as one.
 */
export function createChatStreamReader(): StreamReader {
  const reader = createChunkReader()
  let template: ChunkTemplate | undefined
  let templates = 0
  /** Values of the chunks that are held, in which they differ from the template. */
  let held: string[] = []
  let heldChunks = 0

  function readHeld() {
    if (!template || heldChunks === 0) return
    const joined = template.join(held)
    if (joined) reader.add(joined)
    else for (const data of template.write(held)) addParsed(data)
    held = []
    heldChunks = 0
  }

  function hold(values: string[]) {
    for (const value of values) held.push(value)
    if (++heldChunks >= maxHeld) readHeld()
  }

  function addParsed(data: string) {
    const chunk = parseObject(data)
    if (chunk) reader.add(chunk)
    return chunk
  }

  function addOther(data: string) {
    const chunk = addParsed(data)
    const found = chunk && templates < maxTemplates ? toChunkTemplate(data, chunk) : undefined
    if (!found) return
    template = found
    templates++
  }

  return {
    add(data) {
      // An error for each stream would cost as much as ten chunks.
      if (data === endOfStream) return
      const values = template?.match(data)
      if (values) return hold(values)
      readHeld()
      addOther(data)
    },
    completion() {
      readHeld()
      return reader.completion()
    },
    body: () => undefined,
  }
}
