import { TupleParam } from '@clickhouse/client'
import { StoreError } from './analytical.ts'
import { render, type ParamType, type ParamValue, type Sql } from './sql.ts'

/** Seconds with six decimals, the one form that a DateTime64 parameter reads the same at any size. */
function toSeconds(micros: number | bigint): string {
  const value = BigInt(micros)
  const size = value < 0n ? -value : value
  return `${value < 0n ? '-' : ''}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}`
}

function refuseNul(value: ParamValue): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw new StoreError('data', 'a text with a NUL character (U+0000) cannot be compared; remove the character')
  }
  if (Array.isArray(value)) value.forEach(refuseNul)
}

/**
 * The form in which the client writes a parameter of this type. Times are microseconds.
 * @throws StoreError `data` for a text with a NUL character and for a time that is not a whole number.
 */
export function toQueryParam(type: ParamType, value: ParamValue): unknown {
  refuseNul(value)
  if (type === 'DateTime64(6)') {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return toSeconds(value as number | bigint)
    throw new StoreError('data', `a time is a whole number of microseconds, not ${JSON.stringify(value)}`)
  }
  if (type === 'Array(Tuple(String, String))' && Array.isArray(value)) return value.map((pair) => new TupleParam(pair as string[]))
  return value
}

/** A statement as the client sends it. @throws StoreError `data` as `toQueryParam` */
export function toQuery(statement: Sql): { query: string; query_params: Record<string, unknown> } {
  const { text } = render(statement)
  return {
    query: text,
    query_params: Object.fromEntries(statement.params.map((param, index) => [`p${index}`, toQueryParam(param.type, param.value)])),
  }
}
