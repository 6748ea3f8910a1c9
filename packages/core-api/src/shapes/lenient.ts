import { checked, Refusal } from './checked.ts'
import { numberText } from './json-number.ts'

const integerText = /^\s*([+-]?\d{1,400})(?:\.0*)?\s*$/
const decimalText = /^\s*[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,5})?\s*$/

/** Reads an integer, a number without a fraction or the text of either. */
export function readInteger(value: unknown): number | Refusal {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  const text = typeof value === 'string' ? value : numberText(value)
  if (text === undefined) return new Refusal('int_type', 'Input should be a valid integer')
  const plain = typeof value === 'string' ? integerText.exec(text)?.[1] : text
  const number = plain === undefined ? Number.NaN : Number(plain)
  if (Number.isSafeInteger(number)) return number + 0
  return refusedInteger(typeof value === 'string', number)
}

function refusedInteger(wasText: boolean, number: number): Refusal {
  if (Number.isInteger(number)) return new Refusal('int_parsing_size', 'Input should be an integer between -(2^53 - 1) and 2^53 - 1')
  if (wasText) return new Refusal('int_parsing', 'Input should be a valid integer, unable to parse string as an integer')
  return new Refusal('int_from_float', 'Input should be a valid integer, got a number with a fractional part')
}

function readCount(value: unknown): number | Refusal {
  const number = readInteger(value)
  if (number instanceof Refusal || number >= 0) return number
  return new Refusal('greater_than_equal', 'Input should be greater than or equal to 0')
}

function readBetween(value: unknown, min: number, max: number): number | Refusal {
  const number = readInteger(value)
  if (number instanceof Refusal || (number >= min && number <= max)) return number
  const type = number < min ? 'greater_than_equal' : 'less_than_equal'
  return new Refusal(type, `Input should be an integer from ${min} to ${max}`)
}

function readNumber(value: unknown): number | Refusal {
  const text = typeof value === 'string' ? value : numberText(value)
  if (text === undefined) return new Refusal('float_type', 'Input should be a valid number')
  if (typeof value === 'string' && !decimalText.test(text)) {
    return new Refusal('float_parsing', 'Input should be a valid number, unable to parse string as a number')
  }
  const number = Number(text)
  return Number.isFinite(number) ? number : new Refusal('finite_number', 'Input should be a finite number')
}

function readFraction(value: unknown): number | Refusal {
  const number = readNumber(value)
  if (number instanceof Refusal || (number >= 0 && number <= 1)) return number
  return new Refusal(number < 0 ? 'greater_than_equal' : 'less_than_equal', 'Input should be a number from 0 to 1')
}

function readBoolean(value: unknown): boolean | Refusal {
  if (typeof value === 'boolean') return value
  const number = numberText(value)
  const text = typeof value === 'string' ? value.trim().toLowerCase() : number === undefined ? undefined : String(Number(number))
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  if (text === undefined) return new Refusal('bool_type', 'Input should be a valid boolean')
  return new Refusal('bool_parsing', 'Input should be a valid boolean, unable to interpret input')
}

/** An integer within ±(2^53 − 1). Takes numeric text and a number with a zero fraction too. */
export const LenientInt = checked<number, number | string>(readInteger, { type: 'integer' })

/** A `LenientInt` of at least 0. */
export const LenientCount = checked<number, number | string>(readCount, { type: 'integer', minimum: 0 })

/** A `LenientInt` from `min` to `max`. */
export function lenientIntBetween(min: number, max: number) {
  return checked<number, number | string>((value) => readBetween(value, min, max), { type: 'integer', minimum: min, maximum: max })
}

/** A finite number. Takes numeric text too. */
export const LenientNumber = checked<number, number | string>(readNumber, { type: 'number' })

/** A `LenientNumber` from 0 to 1. */
export const LenientFraction = checked<number, number | string>(readFraction, { type: 'number', minimum: 0, maximum: 1 })

/** A boolean. Takes the texts `true`, `false`, `1` and `0` and the numbers 1 and 0 too. */
export const LenientBoolean = checked<boolean, boolean | string | number>(readBoolean, { type: 'boolean' })
