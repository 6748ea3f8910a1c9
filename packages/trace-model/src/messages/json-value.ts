import { isJsonNumber, memberOf } from '@heddle/core-api/internal'
import { parseExactJson } from '@heddle/json/exact'

/** Longer texts are not read as JSON: conventions write a conversation as text, but no text is a conversation because of its first character. */
const maxJsonText = 16 * 1024 * 1024

/** A value, or the parsed value of its JSON text if that is a list or an object, with numbers as written. */
export function parsedValue(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > maxJsonText || !/^\s*[[{]/.test(value.slice(0, 64))) return value
  try {
    return parseExactJson(value)
  } catch {
    return value
  }
}

/**
 * A list, or the list of an object whose keys are numbers from 0, as attributes of spans nest them; it may have other keys as well, such as `count`.
 * Undefined for anything else.
 */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (!isObject(value) || !Object.hasOwn(value, '0')) return undefined
  const list: unknown[] = []
  for (let index = 0; Object.hasOwn(value, index); index += 1) list.push(value[index])
  return list
}

/** The elements of a list, also of one that is written as JSON text; none for anything else. */
export function elementsOf(value: unknown): readonly unknown[] {
  return listOf(parsedValue(value)) ?? []
}

/** The text at a member, where it is not empty. */
export function textAt(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name)
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** The first member of those names that is there and is not null. */
export function firstMember(value: unknown, ...names: readonly string[]): unknown {
  for (const name of names) {
    const member = memberOf(value, name)
    if (member !== undefined && member !== null) return member
  }
  return undefined
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}

/** A value as compact JSON, in which numbers that keep their written form have it. Undefined where JSON has no text for the value. */
export function jsonTextOf(value: unknown): string | undefined {
  if (isJsonNumber(value)) return value.text
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((member: unknown) => jsonTextOf(member) ?? 'null').join(',')}]`
  const members = Object.entries(value).map(([name, member]) => [name, jsonTextOf(member)] as const)
  return `{${members.flatMap(([name, text]) => (text === undefined ? [] : `${JSON.stringify(name)}:${text}`)).join(',')}}`
}
