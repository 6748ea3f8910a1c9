import { JsonText } from '@heddle/core-api/internal'
import { JsonNumber, parseJson, stringifyJson } from '@heddle/json'
import { ScannedText } from '../payload/scanned-text.ts'

/** A JSON value of a span. Objects have no prototype, or only their own keys are read, since keys are untrusted. */
export type JsonValue = null | boolean | number | string | JsonNumber | SentJson | JsonValue[] | JsonObject

export interface JsonObject {
  [key: string]: JsonValue
}

/** A list or an object as the JSON text in which it was sent: a text that `PlainJsonScanner` finds, so it is parsed only where a rule looks inside. */
export class SentJson extends ScannedText {
  #value: JsonObject | JsonValue[] | undefined

  get isList(): boolean {
    return this.source[0] === 0x5b
  }

  /** True for the very value that `parse` gives. */
  gave(value: unknown): boolean {
    return value !== undefined && value === this.#value
  }

  /** Parsed once, however often it is called. */
  parse(): JsonObject | JsonValue[] {
    return (this.#value ??= parseJson(this.source) as JsonObject | JsonValue[])
  }
}

/** The value itself where it is there as text. */
export function parsed<Value extends JsonValue | undefined>(value: Value): Exclude<Value, SentJson> | JsonObject | JsonValue[] {
  return value instanceof SentJson ? value.parse() : (value as Exclude<Value, SentJson>)
}

interface DictionaryConstructor {
  prototype: object
  new (): JsonObject
}

// An instance has hidden classes, which Object.create(null) has not, and like that it inherits nothing: `__proto__` is a key like any other.
const Dictionary = function () {} as unknown as DictionaryConstructor
Dictionary.prototype = Object.freeze(Object.create(null) as object)

/** An empty object that inherits nothing. */
export function newObject(): JsonObject {
  return new Dictionary()
}

/** True for an object made by `newObject`, which may be changed. Others are shared or parsed, and copied before a change. */
export function isOwnObject(value: JsonValue): value is JsonObject {
  return value instanceof Dictionary
}

/** True for an object of JSON: no null, no list, no number object, no text. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber) && !(value instanceof JsonText)
  )
}

/** The member of that name; undefined when the object itself has none. */
export function ownMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** An integer as a plain number where that is exact, else as a number object. */
export function integerValue(value: number | bigint): number | JsonNumber {
  if (typeof value === 'number') return value
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : new JsonNumber(value.toString())
}

/** A double as JSON: not-a-number and the infinities become the texts `nan`, `inf` and `-inf`. */
export function doubleValue(value: number): number | string {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) return 'nan'
  return value > 0 ? 'inf' : '-inf'
}

/** A value as text, for fields that contain a name: texts unchanged, others as JSON. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(parsed(value))
}
