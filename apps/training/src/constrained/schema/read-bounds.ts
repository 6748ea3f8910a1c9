import { type DecimalBounds, decimalPlaces, unitsAtLeast } from '../grammar/decimal-bounds.ts'
import type { IntegerBounds } from '../grammar/integer-bounds.ts'
import type { Refuse, SchemaPart } from './conjunction.ts'
import { placeOf, SchemaError, shownValue } from '../grammar/schema-error.ts'
import { isNumber, type SchemaObject } from './schema-keywords.ts'

type Parts = readonly SchemaPart<SchemaObject>[]

/** How many characters, elements or properties; none is 0 and Infinity. */
export function readBounds(parts: Parts, minKeyword: string, maxKeyword: string): { min: number; max: number } {
  const read = ({ schema, pointer }: SchemaPart<SchemaObject>, keyword: string, defaultValue: number) => {
    const given = schema[keyword] ?? defaultValue
    const value = typeof given === 'bigint' ? Number(given) : given
    if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === defaultValue)) return value
    throw new SchemaError(`${placeOf(pointer)} has "${keyword}" ${shownValue(given)}; it must be a whole number that is not negative`)
  }
  return {
    min: Math.max(0, ...parts.map((part) => read(part, minKeyword, 0))),
    max: Math.min(Infinity, ...parts.map((part) => read(part, maxKeyword, Infinity))),
  }
}

interface NumberBounds {
  minimum: number | bigint | undefined
  maximum: number | bigint | undefined
  above: number | bigint | undefined
  below: number | bigint | undefined
}

/** In older drafts an exclusive bound is a mark of the other one. */
function readNumbers({ schema, pointer }: SchemaPart<SchemaObject>): NumberBounds {
  const read = (keyword: string) => {
    const value = schema[keyword]
    if (value === undefined || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return value
    throw new SchemaError(`${placeOf(pointer)} has "${keyword}" ${shownValue(value)}; it must be a number`)
  }
  const isMark = (keyword: string) => typeof schema[keyword] === 'boolean'
  const [minimum, maximum] = [read('minimum'), read('maximum')]
  return {
    minimum: schema['exclusiveMinimum'] === true ? undefined : minimum,
    maximum: schema['exclusiveMaximum'] === true ? undefined : maximum,
    above: !isMark('exclusiveMinimum') ? read('exclusiveMinimum') : schema['exclusiveMinimum'] === true ? minimum : undefined,
    below: !isMark('exclusiveMaximum') ? read('exclusiveMaximum') : schema['exclusiveMaximum'] === true ? maximum : undefined,
  }
}

/** Null without any. */
export function readDecimalBounds(parts: Parts): DecimalBounds | null {
  const bounds = parts.map(readNumbers)
  const lows = bounds.flatMap(({ minimum, above }) => [
    ...(minimum === undefined ? [] : [unitsAtLeast(minimum)]),
    ...(above === undefined ? [] : [unitsAbove(above)]),
  ])
  const highs = bounds.flatMap(({ maximum, below }) => [
    ...(maximum === undefined ? [] : [-unitsAtLeast(-maximum)]),
    ...(below === undefined ? [] : [-unitsAbove(-below)]),
  ])
  const [low, high] = [greatest(lows), smallest(highs)]
  return low === null && high === null ? null : { low, high }
}

/** A number that is read as above another is at least the next representable one. */
function unitsAbove(value: number | bigint): bigint {
  return typeof value === 'bigint' ? unitsAtLeast(value) + 1n : unitsAtLeast(nextAbove(value))
}

/** Null for none. */
const greatest = (values: readonly bigint[]) => values.reduce<bigint | null>((a, b) => (a !== null && a > b ? a : b), null)
const smallest = (values: readonly bigint[]) => values.reduce<bigint | null>((a, b) => (a !== null && a < b ? a : b), null)

/** The smallest number above this one. */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  const floats = Float64Array.of(value)
  const bits = new BigInt64Array(floats.buffer)
  bits[0] = bits[0]! + (value > 0 ? 1n : -1n)
  return floats[0]!
}

export function readIntegerBounds(parts: Parts): IntegerBounds {
  const bounds = parts.map(readNumbers)
  const lows = bounds.flatMap(({ minimum, above }) => [
    ...(minimum === undefined ? [] : [ceiling(minimum)]),
    ...(above === undefined ? [] : [floor(above) + 1n]),
  ])
  const highs = bounds.flatMap(({ maximum, below }) => [
    ...(maximum === undefined ? [] : [floor(maximum)]),
    ...(below === undefined ? [] : [ceiling(below) - 1n]),
  ])
  return { low: greatest(lows), high: smallest(highs) }
}

const floor = (value: number | bigint) => (typeof value === 'bigint' ? value : BigInt(Math.floor(value)))
const ceiling = (value: number | bigint) => -floor(-value)

/** What all multiples are multiples of, in units of the last decimal place; null without any. */
export function readStep(parts: Parts, refuse: Refuse): bigint | null {
  const steps = parts.flatMap(({ schema, pointer }) => {
    const value = schema['multipleOf']
    if (value === undefined) return []
    if (!isNumber(value) || !(value > 0) || value === Infinity) {
      throw new SchemaError(`${placeOf(pointer)} has "multipleOf" ${shownValue(value)}; it must be a number above 0`)
    }
    const step = unitsAtLeast(value)
    if (step > 0n && unitsAtLeast(-value) === -step) return [step]
    refuse(`"multipleOf" ${value}, which has more decimal places than are written`, pointer, `use at most ${decimalPlaces}`)
    return []
  })
  return steps.length === 0 ? null : steps.reduce((a, b) => (a / greatestDivisor(a, b)) * b)
}

export function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}
