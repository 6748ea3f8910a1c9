import { readDouble } from '../rows/field-value.ts'
import { computed, condition, type Expression, type Scalar } from './expression.ts'

export type Target = 'double' | 'string' | 'int' | 'bool' | 'exists'

/** An operand in another type: unknown where it does not convert. */
export function convert(from: Expression, to: Target): Expression {
  if (to === 'exists') return condition((row) => from.exists(row))
  const type = to === 'string' ? 'text' : to
  if (from.type === type) return computed(type, (row) => from.read(row))
  return computed(type, (row) => {
    const value = from.read(row)
    return value === null ? null : convertScalar(value, from.type, type)
  })
}

function convertScalar(value: NonNullable<Scalar>, from: Expression['type'], to: Expression['type']): Scalar {
  if (from === 'bool' && to === 'int') return BigInt(value)
  if ((from === 'bool' || from === 'int') && to === 'double') return Number(value)
  const text = from === 'bool' ? String(value === 1) : String(value)
  switch (to) {
    case 'text':
      return text
    case 'int':
      return readInt(text)
    case 'double':
      return readDouble(text)
    case 'bool':
      return readBool(text)
  }
}

function readInt(text: string): bigint | null {
  if (!/^[+-]?\d{1,40}$/.test(text)) return null
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, value) === value ? value : null
}

function readBool(text: string): number | null {
  if (text === 'true' || text === 'false') return Number(text === 'true')
  return /^\+?\d{1,40}$/.test(text) && Number(text) <= 255 ? Number(text) : null
}
