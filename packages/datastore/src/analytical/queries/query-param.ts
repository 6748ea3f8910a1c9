import { StoreError } from '../../work/store-error.ts'
import type { ParamType, ParamValue, Sql } from '../sql.ts'

/** Seconds with six decimals, the only format that a DateTime64 parameter parses the same at any magnitude. */
function toSeconds(micros: number | bigint): string {
  const value = BigInt(micros)
  const size = value < 0n ? -value : value
  return `${value < 0n ? '-' : ''}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}`
}

function rejectNul(value: ParamValue): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new StoreError('data', 'a string with a NUL character (U+0000) cannot be compared; remove the character')
  }
  if (Array.isArray(value)) value.forEach(rejectNul)
}

/**
 * The value in the format that the client expects for this type. Times are microseconds.
 * @throws StoreError `data` for a string with a NUL character and for a time that is not an integer.
 */
function toQueryParam(type: ParamType, value: ParamValue): unknown {
  rejectNul(value)
  if (type === 'DateTime64(6)') {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return toSeconds(value as number | bigint)
    throw new StoreError('data', `a time must be an integer number of microseconds, got ${JSON.stringify(value)}`)
  }
  return value
}

/** Characters from which a text is passed as a list of one, whose form is made here. */
const longText = 1_000

/**
 * A list whose form the client takes as it is: the client itself writes texts character by character, in some hundred times their memory.
 * Elements are in the form of ClickHouse already.
 */
class EncodedList extends Array<string> {
  override map(): never[] {
    return { join: () => this.join(',') } as unknown as never[]
  }
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }
const quoted = (text: string) => `'${text.replace(/[\t\n\r'\\]/g, (character) => escapes[character]!)}'`

function written(texts: readonly string[]): EncodedList {
  const list = new EncodedList()
  for (const text of texts) list.push(text)
  return list
}

/** Texts in the form of the engine; null for a value of another type. */
function toWritten({ type, value }: Sql['params'][number]): EncodedList | null {
  rejectNul(value)
  if (type === 'String' && typeof value === 'string' && value.length > longText) return written([quoted(value)])
  if (type === 'Array(String)' && Array.isArray(value)) return written((value as string[]).map(quoted))
  if (type === 'Array(Tuple(String, String))' && Array.isArray(value))
    return written((value as [string, string][]).map(([first, second]) => `(${quoted(first)},${quoted(second)})`))
  return null
}

/** Characters of a list from which `IN` reads it as a table: the engine keeps no longer list as a constant, but compares each row with a copy of it. */
const longList = 262_144

/** Placeholder of a list. `before` is the text of the statement up to it. */
function listPlaceholder(list: EncodedList, { placeholder, before }: { placeholder: string; before: string }): string {
  const set = /\bIN (\(?)$/.exec(before)
  if (!set || charactersOf(list) < longList) return placeholder
  return set[1] === '(' ? `SELECT arrayJoin(${placeholder})` : `(SELECT arrayJoin(${placeholder}))`
}

function charactersOf(list: EncodedList): number {
  let characters = 0
  for (const text of list) characters += text.length
  return characters
}

/**
 * The statement as arguments of the client. `isChange`: lists are not sent as tables, which replicated tables refuse in changes.
 * @throws StoreError `data` as `toQueryParam` does
 */
export function toQuery(statement: Sql, { isChange = false } = {}): { query: string; query_params: Record<string, unknown> } {
  const params: Record<string, unknown> = {}
  let query = statement.strings[0] ?? ''
  statement.params.forEach((param, index) => {
    const list = toWritten(param)
    params[`p${index}`] = list ?? toQueryParam(param.type, param.value)
    const placeholder = `{p${index}:${param.type}}`
    if (list && param.type === 'String') query += `{p${index}:Array(String)}[1]`
    else if (list && param.type === 'Array(String)' && !isChange) query += listPlaceholder(list, { placeholder, before: query })
    else query += placeholder
    query += statement.strings[index + 1] ?? ''
  })
  return { query, query_params: params }
}
