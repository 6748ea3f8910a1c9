import type { JsonText } from '@heddle/core-api/internal'
import { JsonWriter } from './json-writer.ts'
import type { ScratchBuffer } from './scratch-buffer.ts'

/** Writes JSON into a scratch buffer, in UTF-8. */
export class JsonBytes extends JsonWriter {
  protected readonly scratch: ScratchBuffer

  constructor(scratch: ScratchBuffer) {
    super()
    this.scratch = scratch
  }

  add(text: string): void {
    this.scratch.addAscii(text)
  }

  string(text: string): void {
    if (!this.scratch.addPlainString(text)) this.ready(JSON.stringify(text))
  }

  protected key(opening: '{' | ',', key: string): void {
    if (this.scratch.addPlainKey(opening, key)) return
    this.add(opening)
    this.string(key)
    this.add(':')
  }

  protected ready(source: JsonText['source']): void {
    if (typeof source === 'string') this.scratch.addText(source)
    else this.scratch.addBytes(source)
  }
}

/** Compact JSON text of a JSON value, as a view of the scratch buffer. */
export function jsonBytes(value: unknown, scratch: ScratchBuffer): Uint8Array {
  new JsonBytes(scratch).value(value)
  return scratch.take()
}
