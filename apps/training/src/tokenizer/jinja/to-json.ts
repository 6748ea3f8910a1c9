import { assertLength } from '../template-limits.ts'
import { floatText } from '../python/text-of.ts'
import { compareValues } from '../python/compare.ts'
import { Dict, isList, plain, Tuple, typeName, type Value } from '../python/values.ts'

export interface JsonForm {
  isAscii: boolean
  /** Indentation of a level; null: all in one line. */
  indent: string | null
  separators: readonly [string, string]
  isSorted: boolean
}

/** What Python's `json.dumps` writes. @throws TypeError for a value that JSON has no form for */
export function toJson(given: Value, form: JsonForm, level = 0): string {
  const value = plain(given)
  const items = isList(value) ? value : value instanceof Tuple ? value.items : null
  if (items) {
    const written = items.map((item) => toJson(item, form, level + 1))
    return bracketed(['[', ']'], written, form, level)
  }
  if (value instanceof Dict) {
    const written = entriesOf(value, form).map(
      ([key, each]) => `${quoted(keyText(key), form)}${form.separators[1]}${toJson(each, form, level + 1)}`,
    )
    return bracketed(['{', '}'], written, form, level)
  }
  return scalar(value, form)
}

function entriesOf(dict: Dict, { isSorted }: JsonForm): (readonly [Value, Value])[] {
  const entries = [...dict.entries()]
  return isSorted ? entries.toSorted(([left], [right]) => compareValues(left, right) ?? 0) : entries
}

function bracketed(
  [open, close]: readonly [string, string],
  written: readonly string[],
  { indent, separators }: JsonForm,
  level: number,
): string {
  if (written.length === 0) return open + close
  const [inner, outer] = indent === null ? ['', ''] : [`\n${indent.repeat(level + 1)}`, `\n${indent.repeat(level)}`]
  assertLength(written.reduce((sum, text) => sum + text.length + inner.length, 0))
  return open + inner + written.join(separators[0] + inner) + outer + close
}

function scalar(value: Value, form: JsonForm): string {
  switch (typeof value) {
    case 'string':
      return quoted(value, form)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return jsonNumber(value)
    default:
      if (value === null) return 'null'
      throw new TypeError(`Object of type ${typeName(value)} is not JSON serializable`)
  }
}

function jsonNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? floatText(value) : value > 0 ? 'Infinity' : '-Infinity'
}

function keyText(key: Value): string {
  if (typeof key === 'string') return key
  if (typeof key === 'bigint' || typeof key === 'boolean' || key === null) return String(key)
  if (typeof key === 'number') return jsonNumber(key)
  throw new TypeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

function quoted(text: string, { isAscii }: JsonForm): string {
  const escaped = isAscii ? /["\\]|[^ -~]/g : /["\\\0-\x1f]/g
  const written = text.replaceAll(escaped, (unit) => short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `"${written}"`
}
