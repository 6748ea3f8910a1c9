/** JSON texts within strings, as spans have them, are cut within; those in them once more, and no deeper. */
const maxDepth = 2
/** A longer string is cut at its start even if it is JSON text. */
const maxJsonText = 16 * 1024 * 1024

/**
 * A JSON text in which each string of more than `maxLength` code points is cut to that length and ends in `…`. Keys, numbers and the nesting are
 * unchanged, so that paths into the value stay the same; a string that is itself JSON of a list or an object is cut within.
 */
export const cutTexts = (json: string, maxLength: number): string => cutWithin(json, maxLength, 0)

/** The start of a plain text, in the same way. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  let at = 0
  for (let length = 0; length < maxLength && at < text.length; length += 1) at += pairAt(text, at) ? 2 : 1
  return at < text.length ? `${text.slice(0, at)}…` : text
}

function cutWithin(json: string, maxLength: number, depth: number): string {
  let cut = ''
  let written = 0
  for (let start = json.indexOf('"'); start !== -1;) {
    const end = endOfString(json, start)
    const shorter = end - start - 2 > maxLength && !isKey(json, end) ? cutString(json.slice(start, end), maxLength, depth) : undefined
    if (shorter !== undefined) {
      cut += json.slice(written, start) + shorter
      written = end
    }
    start = json.indexOf('"', end)
  }
  return written === 0 ? json : cut + json.slice(written)
}

/** Where a string ends that begins with the quote at `start`: after its closing quote. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let before = quote
    while (json[before - 1] === '\\') before -= 1
    if ((quote - before) % 2 === 0) return quote + 1
  }
  return json.length
}

function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\t' || json[at] === '\r') at += 1
  return json[at] === ':'
}

/** A string in JSON, cut. Undefined if it is short enough. */
function cutString(string: string, maxLength: number, depth: number): string | undefined {
  const inner = depth < maxDepth ? jsonTextIn(string) : undefined
  if (inner !== undefined) {
    const cut = cutWithin(inner, maxLength, depth + 1)
    return cut === inner ? undefined : JSON.stringify(cut)
  }
  let at = 1
  for (let length = 0; length < maxLength && at < string.length - 1; length += 1) at += sizeOfCharacter(string, at)
  return at < string.length - 1 ? `${string.slice(0, at)}…"` : undefined
}

const opensJson = /^"(?:\s|\\[nrt])*[[{]/

/** The JSON text of a list or an object that a string is. */
function jsonTextIn(string: string): string | undefined {
  if (string.length > maxJsonText || !opensJson.test(string.slice(0, 64))) return undefined
  try {
    const text = JSON.parse(string) as string
    JSON.parse(text)
    return text
  } catch {
    return undefined
  }
}

/** How a code point is written in a JSON string: as itself, with a sign after a backslash, or as one or two numbers. */
function sizeOfCharacter(string: string, at: number): number {
  if (string[at] !== '\\') return pairAt(string, at) ? 2 : 1
  if (string[at + 1] !== 'u') return 2
  return numberedPair.test(string.slice(at, at + 12)) ? 12 : 6
}

const numberedPair = /^\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}$/

/** Whether two halves of one code point are there. */
const pairAt = (text: string, at: number) => (text.codePointAt(at) ?? 0) > 0xffff
