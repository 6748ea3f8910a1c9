import { isInteger, isJsonNumber } from '@heddle/json'
import { Dict, Undefined, type Value } from '../python/values.ts'

// From here on a number of JavaScript is written with an exponent, as only numbers with a fraction are in Python.
const wholeNumbersEnd = 1e21

/** Data of JSON as a template reads it. Numbers that were kept as they were written are exact. @throws TypeError for what JSON has no form for */
export function fromJson(value: unknown): Value {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < wholeNumbersEnd ? BigInt(value) : value
    case 'bigint':
      return value
    case 'undefined':
      return new Undefined('a value is undefined')
    case 'object':
      return value === null ? null : fromObject(value)
    default:
      throw new TypeError(`a ${typeof value} is no value of a template`)
  }
}

function fromObject(value: object): Value {
  if (Array.isArray(value)) return value.map(fromJson)
  if (isJsonNumber(value)) return isInteger(value) ? BigInt(String(value)) : Number(value)
  return new Dict(Object.entries(value).map(([key, each]) => [key, fromJson(each)]))
}
