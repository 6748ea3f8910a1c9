import { DecodeError } from './decode-error.ts'
import { doubleValue, integerValue, type JsonObject, type JsonValue, newObject } from '../json-value.ts'
import type { ProtobufReader } from './protobuf-reader.ts'
import type { Attributes, Resource, Scope } from '../span.ts'

/** Levels of lists and key-value lists in one attribute value. */
const maxDepth = 100
/** Parts that any request may have, however small. */
const freeParts = 10_000
/** Spans, events, links or log records of one request, with their scopes and resources. */
const maxRecords = 1_000_000
/** Attributes and values of one request. */
const maxValues = 2_000_000

// A tag is the field number times 8 plus the wire type: 0 integer, 1 eight bytes, 2 text, bytes or message, 5 four bytes.
export const tag = (field: number, type: 0 | 1 | 2 | 5): number => field * 8 + type

/**
 * Decodes the parts that export requests of all signals have. Its methods read one message each.
 * @throws DecodeError when a value is nested too deeply, or the request holds many more parts than real ones of its size do
 */
export class RequestParts {
  readonly #reader: ProtobufReader
  // Records weigh many times their smallest encoding of two bytes: without a limit a small request could fill the memory.
  #recordsLeft: number
  #valuesLeft: number

  constructor(reader: ProtobufReader) {
    this.#reader = reader
    this.#recordsLeft = Math.min(maxRecords, freeParts + Math.floor(reader.size / 16))
    this.#valuesLeft = Math.min(maxValues, freeParts + Math.floor(reader.size / 4))
  }

  /** Counts a span, an event, a link, a log record, or a group of them. */
  countRecord(): void {
    this.#recordsLeft -= 1
    if (this.#recordsLeft < 0)
      throw new DecodeError(
        'too_many',
        `the export request holds more spans, events, links or log records than its size allows, which are at most ${maxRecords}`,
      )
  }

  #countValue(): void {
    this.#valuesLeft -= 1
    if (this.#valuesLeft < 0)
      throw new DecodeError(
        'too_many',
        `the export request holds more attributes or values than its size allows, which are at most ${maxValues}`,
      )
  }

  resource(resource: Resource): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.attribute(resource.attributes)
      else if (next === tag(2, 0)) resource.droppedAttributesCount = reader.readVarint()
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  scope(scope: Scope): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) scope.name = reader.readKey()
      else if (next === tag(2, 2)) scope.version = reader.readKey()
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  attribute(attributes: Attributes): void {
    attributes.push(this.#keyValue(0))
  }

  value(depth: number): JsonValue {
    const reader = this.#reader
    let value: JsonValue = null
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) value = depth === 0 ? reader.readAttributeText() : reader.readText()
      else if (next === tag(2, 0)) value = reader.readVarint() !== 0
      else if (next === tag(3, 0)) value = integerValue(reader.readInt64())
      else if (next === tag(4, 1)) value = doubleValue(reader.readDouble())
      else if (next === tag(5, 2)) value = this.#list(depth + 1)
      else if (next === tag(6, 2)) value = this.#object(depth + 1)
      else if (next === tag(7, 2)) value = reader.readBase64()
      else reader.skip(next)
    }
    reader.leave(outer)
    return value
  }

  #list(depth: number): JsonValue[] {
    const reader = this.#reader
    this.#enterLevel(depth)
    const list: JsonValue[] = []
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) {
        this.#countValue()
        list.push(this.value(depth))
      } else reader.skip(next)
    }
    reader.leave(outer)
    return list
  }

  #object(depth: number): JsonObject {
    const reader = this.#reader
    this.#enterLevel(depth)
    const object = newObject()
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) {
        const [key, value] = this.#keyValue(depth)
        object[key] = value
      } else reader.skip(next)
    }
    reader.leave(outer)
    return object
  }

  #keyValue(depth: number): [key: string, value: JsonValue] {
    const reader = this.#reader
    this.#countValue()
    let key = ''
    let value: JsonValue = null
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) key = reader.readKey()
      else if (next === tag(2, 2)) value = this.value(depth)
      else reader.skip(next)
    }
    reader.leave(outer)
    return [key, value]
  }

  #enterLevel(depth: number): void {
    this.#countValue()
    if (depth > maxDepth) throw new DecodeError('too_deep', `an attribute value is nested more than ${maxDepth} levels deep`)
  }
}
