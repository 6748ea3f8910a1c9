import { JsonText } from '@heddle/core-api/internal'
import { isJsonNumber } from './json-number.ts'
import { stringifyJson } from './stringify-json.ts'

/**
 * Writes JSON values as compact text, as `stringifyJson` does: numbers and ready texts as they were sent, `undefined` as null, and omitted from objects.
 * Faster for payloads: small nested objects, some parts of them ready. The caller has bounded the depth.
 */
export abstract class JsonWriter {
  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        this.string(value)
        break
      case 'number':
        this.add(Number.isFinite(value) ? String(value) : 'null')
        break
      case 'object':
        if (value === null) this.add('null')
        else this.#parts(value)
        break
      default:
        this.add(value === undefined ? 'null' : String(value))
    }
  }

  /** ASCII text that is added unchanged. */
  abstract add(text: string): void

  /** A string with its quotes. */
  abstract string(text: string): void

  /** The key of a member, with the punctuation around it. */
  protected abstract key(opening: '{' | ',', key: string): void

  /** JSON text, or its bytes in UTF-8. */
  protected abstract ready(source: JsonText['source']): void

  #parts(value: object): void {
    if (Array.isArray(value)) this.#list(value)
    else if (value instanceof JsonText) this.readyText(value)
    else if (isJsonNumber(value)) this.add(value.text)
    else this.#object(value as Record<string, unknown>)
  }

  protected readyText(text: JsonText): void {
    this.ready(text.source)
  }

  #list(list: unknown[]): void {
    if (list.length === 0) return this.add('[]')
    // The runtime is faster at long lists of numbers.
    if (!list.some(isPart)) return this.ready(stringifyJson(list))
    for (let index = 0; index < list.length; index += 1) {
      this.add(index === 0 ? '[' : ',')
      this.value(list[index])
    }
    this.add(']')
  }

  #object(object: Record<string, unknown>): void {
    let opening: '{' | ',' = '{'
    for (const key in object) {
      const member = object[key]
      if (member === undefined) continue
      this.key(opening, key)
      this.value(member)
      opening = ','
    }
    this.add(opening === '{' ? '{}' : '}')
  }
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
