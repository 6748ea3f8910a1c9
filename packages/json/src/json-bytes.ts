import type { JsonText } from '@heddle/core-api'
import { JsonWriter } from './json-writer.ts'
import type { TextMemory } from './scratch-buffer.ts'

/** Writes JSON into a memory, in UTF-8. */
export class JsonBytes extends JsonWriter {
  protected readonly memory: TextMemory

  constructor(memory: TextMemory) {
    super()
    this.memory = memory
  }

  add(text: string): void {
    this.memory.addAscii(text)
  }

  string(text: string): void {
    if (!this.memory.addPlainString(text)) this.ready(JSON.stringify(text))
  }

  protected key(opening: '{' | ',', key: string): void {
    if (this.memory.addPlainKey(opening, key)) return
    this.add(opening)
    this.string(key)
    this.add(':')
  }

  protected ready(source: JsonText['source']): void {
    if (typeof source === 'string') this.memory.addText(source)
    else this.memory.addBytes(source)
  }
}

/** Compact JSON text of a JSON value, in a memory. */
export function jsonBytes(value: unknown, memory: TextMemory): Uint8Array {
  new JsonBytes(memory).value(value)
  return memory.take()
}
