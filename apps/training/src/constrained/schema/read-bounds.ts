import type { IntegerBounds } from '../frames/integer.ts'
import { placeOf, SchemaError } from './schema-error.ts'
import type { SchemaObject } from './schema-keywords.ts'

/** How many characters or elements; none is 0 and Infinity. */
export function readBounds(schema: SchemaObject, minKeyword: string, maxKeyword: string, pointer: string): { min: number; max: number } {
  const read = (keyword: string, usual: number) => {
    const value = schema[keyword] ?? usual
    if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === usual)) return value
    throw new SchemaError(`${placeOf(pointer)} has "${keyword}" ${JSON.stringify(value)}; it must be a whole number that is not negative`)
  }
  return { min: read(minKeyword, 0), max: read(maxKeyword, Infinity) }
}

export function readIntegerBounds(schema: SchemaObject, pointer: string): IntegerBounds {
  const read = (keyword: string) => {
    const value = schema[keyword]
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
    throw new SchemaError(`${placeOf(pointer)} has "${keyword}" ${JSON.stringify(value)}; it must be a number`)
  }
  const lows = [ceiling(read('minimum')), above(read('exclusiveMinimum'))].filter((bound) => bound !== null)
  const highs = [floor(read('maximum')), below(read('exclusiveMaximum'))].filter((bound) => bound !== null)
  return {
    low: lows.length === 0 ? null : lows.reduce((a, b) => (a > b ? a : b)),
    high: highs.length === 0 ? null : highs.reduce((a, b) => (a < b ? a : b)),
  }
}

type Bound = number | undefined

function ceiling(value: Bound): bigint | null {
  return value === undefined ? null : BigInt(Math.ceil(value))
}

function floor(value: Bound): bigint | null {
  return value === undefined ? null : BigInt(Math.floor(value))
}

function above(value: Bound): bigint | null {
  return value === undefined ? null : BigInt(Math.floor(value)) + 1n
}

function below(value: Bound): bigint | null {
  return value === undefined ? null : BigInt(Math.ceil(value)) - 1n
}
