import type { JsonText } from '@heddle/core-api/internal'
import { jsonString } from './json-string.ts'
import { JsonWriter } from './json-writer.ts'
import { TextPieces } from './text-pieces.ts'

/** Compact JSON text of a JSON value. */
export function writeJson(value: unknown): string {
  const writer = new TextWriter()
  writer.value(value)
  return writer.pieces.text()
}

class TextWriter extends JsonWriter {
  readonly pieces = new TextPieces()

  add(text: string): void {
    this.pieces.add(text)
  }

  string(text: string): void {
    this.pieces.add(jsonString(text))
  }

  protected key(opening: string, key: string): void {
    this.pieces.add(`${opening}${jsonString(key)}:`)
  }

  protected ready(source: JsonText['source']): void {
    this.pieces.add(typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString())
  }
}
