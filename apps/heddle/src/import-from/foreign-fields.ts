import { basename } from 'node:path'
import { isJsonObject } from '@heddle/core-api/internal'
import { isJsonNumber, parseJson, stringifyJson } from '@heddle/json'
import type { ForeignEvent, Json, JsonObject, RecordPlace } from './foreign-item.ts'
import { toNanoseconds } from './foreign-times.ts'

/** The first of the fields that holds something: exports name the same field in snake case and in camel case. Undefined if none does. */
export function valueOf(record: JsonObject, ...names: readonly string[]): Json {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

/** A text that is not empty. */
export function textOf(record: JsonObject, ...names: readonly string[]): string | undefined {
  const value = valueOf(record, ...names)
  if (typeof value === 'string') return value
  return typeof value === 'number' || isJsonNumber(value) ? String(value) : undefined
}

export function numberOf(record: JsonObject, ...names: readonly string[]): number | undefined {
  const text = textOf(record, ...names)
  const value = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** An object, or a text that is the JSON of one, as in columns of CSV. */
export function objectOf(record: JsonObject, ...names: readonly string[]): JsonObject {
  const value = parsed(valueOf(record, ...names))
  return isJsonObject(value) ? value : {}
}

/** A list, or a text that is the JSON of one. */
export function listOf(record: JsonObject, ...names: readonly string[]): readonly Json[] {
  const value = parsed(valueOf(record, ...names))
  return Array.isArray(value) ? value : []
}

export function objectsOf(record: JsonObject, ...names: readonly string[]): JsonObject[] {
  return listOf(record, ...names).filter(isJsonObject)
}

/** A text as it is, any other value as JSON: how clients write values into attributes. */
export function attributeText(value: Json): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}

/** Events of a span; those without a time are left out. Names of the fields with their time, the first that holds something. */
export function eventsOf(span: JsonObject, ...timeNames: readonly string[]): ForeignEvent[] {
  return objectsOf(span, 'events').flatMap((event) => {
    const timeNs = toNanoseconds(valueOf(event, ...timeNames))
    return timeNs === undefined ? [] : [{ name: textOf(event, 'name') ?? 'event', timeNs, attributes: objectOf(event, 'attributes') }]
  })
}

/** Name of the file of a record, without its folder and its endings: that of a dataset or a prompt whose records do not name it. */
export const fileNameOf = ({ file }: RecordPlace) => basename(file).replace(/\..*$/, '')

/** Without fields that hold nothing. */
export function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''))
}

/** A list or an object that is written as JSON in a text; any other value as it is. */
export function parsed(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parseJson(value, { loneSurrogates: 'keep' })
  } catch {
    return value
  }
}
