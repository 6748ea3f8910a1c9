import { isJsonObject } from '@heddle/core-api/internal'
import { jsonOrUndefined } from '../../../json-text/json-or-undefined.ts'
import { itemTexts, memberText } from '../../../json-text/member-text.ts'

export interface ParsedCall {
  name: string
  /** JSON text exactly as it was sampled. */
  arguments: string
  /** The id that the model gave it. */
  id?: string
}

/**
 * The calls that a text is: one JSON object with a `name`, and an object at `argumentsKey`, or a list of them. None for any other text.
 */
export function parseCalls(text: string, argumentsKey: string): ParsedCall[] {
  const value = jsonOrUndefined(text)
  if (!Array.isArray(value)) return toCalls([{ value, text }], argumentsKey)
  const texts = itemTexts(text)
  return toCalls(
    value.map((item: unknown, index) => ({ value: item, text: texts[index]! })),
    argumentsKey,
  )
}

function toCalls(items: readonly { value: unknown; text: string }[], argumentsKey: string): ParsedCall[] {
  const calls = items.map(({ value, text }) => toCall(value, text, argumentsKey))
  return calls.every((call) => call !== null) ? calls : []
}

function toCall(value: unknown, text: string, argumentsKey: string): ParsedCall | null {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || value['name'] === '' || !isJsonObject(value[argumentsKey])) return null
  const { id } = value
  return {
    name: value['name'],
    arguments: memberText(text, argumentsKey)!,
    ...(isOwnId(id) && { id }),
  }
}

/** Whether an id has the form that some templates require, so that it is kept. */
export function isOwnId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9]{9}$/.test(id)
}

export const isObjectText = (text: string) => isJsonObject(jsonOrUndefined(text))
