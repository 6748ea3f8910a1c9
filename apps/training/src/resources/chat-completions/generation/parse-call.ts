import { memberText } from './member-text.ts'

export interface ParsedCall {
  name: string
  /** JSON text exactly as it was sampled. */
  arguments: string
}

/** The call that a text is: one JSON object with a `name`, and an object at `argumentsKey`. Undefined for any other text. */
export function parseCall(text: string, argumentsKey: string): ParsedCall | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || typeof value['name'] !== 'string' || value['name'] === '' || !isObject(value[argumentsKey])) return undefined
  return { name: value['name'], arguments: memberText(text, argumentsKey)! }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
