import { parseJson } from '@heddle/json'

const limits = { maxDepth: 10_000, maxKeys: Infinity }

/** Parses JSON with a form chosen by the sender: numbers keep their written form. @throws ApiError for a text that is not JSON */
export function parseExactly(text: string): unknown {
  return parseJson(text, limits)
}
