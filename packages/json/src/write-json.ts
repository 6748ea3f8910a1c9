import type { JsonText } from '@heddle/core-api/internal'
import { jsonString } from './json-string.ts'
import { JsonWriter } from './json-writer.ts'

/** Compact JSON text of a JSON value. */
export function writeJson(value: unknown): string {
  const writer = new TextWriter()
  writer.value(value)
  return writer.text
}

class TextWriter extends JsonWriter {
  text = ''

  add(text: string): void {
    this.text += text
  }

  string(text: string): void {
    this.text += jsonString(text)
  }

  protected key(opening: string, key: string): void {
    this.text += `${opening}${jsonString(key)}:`
  }

  protected ready(source: JsonText['source']): void {
    this.text += typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString()
  }
}
