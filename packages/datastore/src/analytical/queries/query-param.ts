import { TupleParam } from '@clickhouse/client'
import { StoreError } from '../analytical.ts'
import { render, type ParamType, type ParamValue, type Sql } from '../sql.ts'

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
  if (type === 'Array(Tuple(String, String))' && Array.isArray(value)) return value.map((pair) => new TupleParam(pair as string[]))
  return value
}

/** The statement as arguments of the client. @throws StoreError `data` as `toQueryParam` does */
export function toQuery(statement: Sql): { query: string; query_params: Record<string, unknown> } {
  const { text } = render(statement)
  return {
    query: text,
    query_params: Object.fromEntries(statement.params.map((param, index) => [`p${index}`, toQueryParam(param.type, param.value)])),
  }
}
