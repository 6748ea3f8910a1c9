/**
 * Splits a field path such as `inputs.messages.0.content` at its dots into keys. A backslash before a dot makes the dot part of the key, and two are
 * one backslash at the end of the key; elsewhere a backslash is literal.
 */
export function splitPath(path: string): string[] {
  const parts: string[] = []
  let key = ''
  let end = 0
  for (const { 0: found, index } of path.matchAll(/\\*\./g)) {
    const backslashes = found.length - 1
    key += path.slice(end, index) + '\\'.repeat(backslashes >> 1)
    end = index + found.length
    if (backslashes % 2 === 1) {
      key += '.'
      continue
    }
    parts.push(key)
    key = ''
  }
  parts.push(key + path.slice(end))
  return parts
}

/** The path that leads through keys. `splitPath` gives them back. */
export function joinPath([first = '', ...others]: readonly string[]): string {
  return others.reduce(pathBelow, escapeDots(first))
}

/** The path of a member of the value at a path. */
export const pathBelow = (path: string, key: string): string => `${path.replace(/\\+$/, '$&$&')}.${escapeDots(key)}`

const escapeDots = (key: string) => key.replace(/\\*\./g, (found) => `${'\\'.repeat(found.length * 2 - 1)}.`)
