import { decimalPlaces } from '../grammar/decimal-bounds.ts'
import type { Refuse, SchemaPart } from './conjunction.ts'
import { greatestDivisor, readDecimalBounds, readIntegerBounds, readStep } from './read-bounds.ts'
import type { SchemaObject } from './schema-keywords.ts'
import type { SchemaNode } from '../grammar/schema-node.ts'

const one = 10n ** BigInt(decimalPlaces)

/** Formats that apply only to numbers. All others are ignored. */
const integerFormats: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
  // The largest that every reader takes as it is written.
  int64: { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  uint64: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
}

/** The numbers that all parts allow. */
export function compileNumbers(type: 'number' | 'integer', parts: readonly SchemaPart<SchemaObject>[], refuse: Refuse): SchemaNode {
  const formats = parts.flatMap(({ schema: { format }, pointer }) =>
    typeof format === 'string' && Object.hasOwn(integerFormats, format) ? [{ schema: { ...integerFormats[format] }, pointer }] : [],
  )
  const all = [...parts, ...formats]
  const step = readStep(parts, refuse)
  // A multiple of a whole number is one itself.
  const isWhole = type === 'integer' || formats.length > 0 || (step !== null && step % one === 0n)
  if (!isWhole) {
    const bounds = readDecimalBounds(all)
    return { kind: 'number', bounds: step === null ? bounds : { low: null, high: null, ...bounds, multipleOf: step } }
  }
  const multipleOf = step === null ? 1n : step / greatestDivisor(step, one)
  return { kind: 'integer', bounds: { ...readIntegerBounds(all), ...(multipleOf !== 1n && { multipleOf }) } }
}
