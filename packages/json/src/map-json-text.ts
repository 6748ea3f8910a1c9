import { tooLarge } from '@heddle/core-api/internal'
import { canonicalJson } from './canonical-json.ts'
import { JsonNumber } from './json-number.ts'
import { endOfString } from './scan-json.ts'

/** Tokens that may still be read of the JSON texts within one value. */
export interface TokenBudget {
  left: number
}

/**
 * Applies `map` to every string value, not to keys, of a JSON text. If a string changed, the text is written again: key order kept, `, ` and `: `
 * between parts, ASCII only, numbers in canonical form. Otherwise, and if the text is not JSON, it is returned unchanged.
 * @throws ApiError 413 when the budget is used up
 */
export function mapJsonText(text: string, map: (value: string) => string, budget: TokenBudget): string {
  if (!isJson(text)) return text
  let written = ''
  let changed = false
  for (let at = 0; at < text.length;) {
    if (--budget.left < 0) throw tooLarge('JSON texts within the values of the request have too many parts; send them as JSON')
    const end = endOfToken(text, at)
    const token = text.slice(at, end)
    at = end
    if (token[0] === '"') {
      const string = JSON.parse(token) as string
      const mapped = isKey(text, end) ? string : map(string)
      changed ||= mapped !== string
      written += canonicalJson(mapped)
    } else {
      written += writeToken(token)
    }
  }
  return changed ? written : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function writeToken(token: string): string {
  if (token === ',') return ', '
  if (token === ':') return ': '
  if (/^\s/.test(token)) return ''
  return /^[-0-9]/.test(token) ? canonicalJson(new JsonNumber(token)) : token
}

const otherToken = /[{}[\]:,]|[^{}[\]:,"\s]+|\s+/y

/** Index after the token of valid JSON that begins at `start`. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start + 1)
  otherToken.lastIndex = start
  return otherToken.test(text) ? otherToken.lastIndex : text.length
}

function isKey(text: string, end: number): boolean {
  const space = /\s*/y
  space.lastIndex = end
  space.test(text)
  return text[space.lastIndex] === ':'
}
