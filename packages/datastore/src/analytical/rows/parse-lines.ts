/** Characters parsed at a time: many short lines are parsed faster as one array, long lines slower. */
const pieceLength = 16_384

/** Parses JSON lines. */
export function parseLines<T>(text: string): T[] {
  const values: T[] = []
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start + pieceLength)
    if (end === -1) end = text.endsWith('\n') ? text.length - 1 : text.length
    for (const value of parsePiece<T>(text.slice(start, end))) values.push(value)
  }
  return values
}

/** Parses JSON lines, each when it is taken: of many, few are in memory at a time. */
export function* eachLine<T>(text: string): Generator<T, undefined> {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    yield JSON.parse(text.slice(start, end)) as T
  }
}

/** A single line is parsed without an array around it, which would copy megabytes. */
function parsePiece<T>(lines: string): T[] {
  const isSingle = lines !== '' && !lines.includes('\n')
  return isSingle ? [JSON.parse(lines) as T] : (JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as T[])
}
