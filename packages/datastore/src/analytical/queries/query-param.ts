import { StoreError } from '../analytical.ts'
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
export function toQueryParam(type: ParamType, value: ParamValue): unknown {
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
class WrittenList extends Array<string> {
  override map(): never[] {
    return { join: () => this.join(',') } as unknown as never[]
  }
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }
const quoted = (text: string) => `'${text.replace(/[\t\n\r'\\]/g, (character) => escapes[character]!)}'`

function written(texts: readonly string[]): WrittenList {
  const list = new WrittenList()
  for (const text of texts) list.push(text)
  return list
}

/** Texts in the form of the engine; null for a value of another type. */
function toWritten({ type, value }: Sql['params'][number]): WrittenList | null {
  rejectNul(value)
  if (type === 'String' && typeof value === 'string' && value.length > longText) return written([quoted(value)])
  if (type === 'Array(String)' && Array.isArray(value)) return written((value as string[]).map(quoted))
  if (type === 'Array(Tuple(String, String))' && Array.isArray(value))
    return written((value as [string, string][]).map(([first, second]) => `(${quoted(first)},${quoted(second)})`))
  return null
}

/** The statement as arguments of the client. @throws StoreError `data` as `toQueryParam` does */
export function toQuery(statement: Sql): { query: string; query_params: Record<string, unknown> } {
  const params: Record<string, unknown> = {}
  let query = statement.strings[0] ?? ''
  statement.params.forEach((param, index) => {
    const list = toWritten(param)
    params[`p${index}`] = list ?? toQueryParam(param.type, param.value)
    query += list && param.type === 'String' ? `{p${index}:Array(String)}[1]` : `{p${index}:${param.type}}`
    query += statement.strings[index + 1] ?? ''
  })
  return { query, query_params: params }
}
