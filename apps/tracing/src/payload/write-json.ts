import { isJsonNumber, JsonText } from '@heddle/core-api'
import type { TextPiece } from '@heddle/datastore'
import { stringifyJson } from '@heddle/service-kit/json'
import { jsonString } from './json-string.ts'

/**
 * Compact JSON text of a JSON value, as `stringifyJson` writes it: numbers and ready texts as they were sent. `undefined` is null, and left out of objects.
 * Faster for payloads: small nested objects, some parts of them ready. The caller has bounded the depth.
 */
export function writeJson(value: unknown): string {
  return textOfPieces(writePieces(value))
}

/** The same text in pieces: ready texts that are there as bytes stay bytes. */
export function writePieces(value: unknown): TextPiece[] {
  const writer = new JsonWriter()
  writer.value(value)
  return writer.finish()
}

/** The text that pieces make. */
export function textOfPieces(pieces: readonly TextPiece[]): string {
  const [only = ''] = pieces
  if (pieces.length < 2 && typeof only === 'string') return only
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))).toString()
}

/** Bytes of that text in UTF-8. */
export function byteLengthOfPieces(pieces: readonly TextPiece[]): number {
  let bytes = 0
  for (const piece of pieces) bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
  return bytes
}

/** Writes JSON texts one after the other, into one text in pieces. */
export class JsonWriter {
  #text = ''
  readonly #pieces: TextPiece[] = []

  /** Text that goes in as it is. */
  add(text: string): void {
    this.#text += text
  }

  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        this.#text += jsonString(value)
        break
      case 'number':
        this.#text += Number.isFinite(value) ? String(value) : 'null'
        break
      case 'object':
        if (value === null) this.#text += 'null'
        else this.#parts(value)
        break
      default:
        this.#text += value === undefined ? 'null' : String(value)
    }
  }

  /** Text or bytes that become a piece of their own. */
  piece(piece: TextPiece): void {
    this.#endText()
    this.#pieces.push(piece)
  }

  /** All that was written. The writer is done. */
  finish(): TextPiece[] {
    this.#endText()
    return this.#pieces
  }

  /** What a piece becomes that was not added as one. */
  protected written(piece: TextPiece): TextPiece {
    return piece
  }

  #endText(): void {
    if (this.#text === '') return
    this.#pieces.push(this.written(this.#text))
    this.#text = ''
  }

  #parts(value: object): void {
    if (Array.isArray(value)) this.#list(value)
    else if (value instanceof JsonText) this.#ready(value)
    else if (isJsonNumber(value)) this.#text += value.text
    else this.#object(value as Record<string, unknown>)
  }

  #ready({ source }: JsonText): void {
    if (typeof source === 'string') this.#text += source
    else this.piece(this.written(source))
  }

  #list(list: unknown[]): void {
    // The runtime is faster at long lists of numbers.
    if (!list.some(isPart)) {
      this.#text += list.length === 0 ? '[]' : stringifyJson(list)
      return
    }
    for (let index = 0; index < list.length; index += 1) {
      this.#text += index === 0 ? '[' : ','
      this.value(list[index])
    }
    this.#text += ']'
  }

  #object(object: Record<string, unknown>): void {
    let opening = '{'
    for (const key in object) {
      const member = object[key]
      if (member === undefined) continue
      this.#text += `${opening}${jsonString(key)}:`
      this.value(member)
      opening = ','
    }
    this.#text += opening === '{' ? '{}' : '}'
  }
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
