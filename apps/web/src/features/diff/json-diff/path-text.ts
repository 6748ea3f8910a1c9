import type { ElementPlace, JsonPath } from './diff-json.ts'

const plainKey = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u

/** A readable path: `choices[0].text`. An element that moved has both of its indexes: `[1 → 2]`. */
export function pathText(path: JsonPath): string {
  if (path.length === 0) return 'the whole value'
  return path
    .map((part) => (typeof part === 'string' ? keyText(part) : `[${placeText(part)}]`))
    .join('')
    .replace(/^\./, '')
}

const keyText = (key: string) => (plainKey.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

function placeText({ before, after }: ElementPlace): string {
  if (before === undefined || after === undefined || before === after) return String(after ?? before)
  return `${before} → ${after}`
}
