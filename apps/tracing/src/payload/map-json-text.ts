import { canonicalJson, JsonNumber } from '@heddle/service-kit/json'

/**
 * Applies `map` to every string value, not to keys, of a text that is JSON. Where a string changed, the text is written anew: key order kept,
 * `, ` and `: ` between parts, ASCII only, numbers in canonical form. Otherwise, and where the text is not JSON, it comes back as it is.
 */
export function mapJsonText(text: string, map: (value: string) => string): string {
  if (!isJson(text)) return text
  let written = ''
  let changed = false
  for (let at = 0; at < text.length;) {
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

/** Index after the token of valid JSON that begins at `start`. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start + 1)
  const pattern = /[{}[\]:,]|[^{}[\]:,"\s]+|\s+/y
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : text.length
}

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

function isKey(text: string, end: number): boolean {
  const space = /\s*/y
  space.lastIndex = end
  space.test(text)
  return text[space.lastIndex] === ':'
}
