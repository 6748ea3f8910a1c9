/** Masks one text inside a JSON value; `path` leads to it: `messages`, `0`, `content`. */
export type PathMask = (text: string, path: readonly string[]) => string

const maxNesting = 4
const whitespace = /[\s]/

/**
 * Masks the texts, names and numbers inside JSON, also JSON that is a text inside JSON, and leaves everything else as it is, byte for byte.
 * A number that a mask changes becomes a text. Undefined when the value is not the JSON of an object or a list.
 */
export function maskJson(json: string, mask: PathMask, path: readonly string[] = [], nesting = 0): string | undefined {
  if (!/^\s*[[{]/.test(json) || nesting >= maxNesting || !isJson(json)) return undefined
  const walk = { path: [...path], position: 0, out: [] as string[] }

  function skipTo(end: number): void {
    walk.out.push(json.slice(walk.position, end))
    walk.position = end
  }
  function skipSpace(): void {
    let end = walk.position
    while (whitespace.test(json[end] ?? '')) end++
    skipTo(end)
  }
  function maskText(): string {
    const end = endOfText(json, walk.position)
    const text = JSON.parse(json.slice(walk.position, end)) as string
    const masked = maskJson(text, mask, walk.path, nesting + 1) ?? mask(text, walk.path)
    if (masked === text) skipTo(end)
    else replaceTo(end, masked)
    return text
  }
  function replaceTo(end: number, text: string): void {
    walk.out.push(JSON.stringify(text))
    walk.position = end
  }
  function maskNumber(): void {
    let end = walk.position
    while (/[\w.+-]/.test(json[end] ?? '')) end++
    const text = json.slice(walk.position, end)
    const masked = /\d/.test(text) ? mask(text, walk.path) : text
    if (masked === text) skipTo(end)
    else replaceTo(end, masked)
  }
  function maskMembers(close: '}' | ']'): void {
    skipTo(walk.position + 1)
    skipSpace()
    for (let index = 0; json[walk.position] !== close; index++) {
      if (index > 0) skipTo(walk.position + 1)
      skipSpace()
      walk.path.push(close === ']' ? String(index) : '')
      if (close === '}') {
        walk.path[walk.path.length - 1] = maskText()
        skipSpace()
        skipTo(walk.position + 1)
        skipSpace()
      }
      maskValue()
      walk.path.pop()
      skipSpace()
    }
    skipTo(walk.position + 1)
  }
  function maskValue(): void {
    const first = json[walk.position]
    if (first === '"') maskText()
    else if (first === '{') maskMembers('}')
    else if (first === '[') maskMembers(']')
    else maskNumber()
  }

  skipSpace()
  maskValue()
  skipTo(json.length)
  return walk.out.join('')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Behind the closing quote of the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (json[at] === '\\') at++
    else if (json[at] === '"') return at + 1
  }
}
