import { sql, type Sql } from '@heddle/datastore'
import type { ValueOperand, ValueType } from './operand.ts'

export type ConversionTarget = 'double' | 'string' | 'int' | 'bool'

/** Converts a value; NULL if it does not convert. Texts follow the rules of query conversions, other types are converted through their text. */
export function convertValue(value: ValueOperand, target: ConversionTarget): Sql {
  switch (target) {
    case 'string':
      return toText(value)
    case 'int':
      return toInt(value)
    case 'double':
      return toDouble(value)
    case 'bool':
      return toBool(value)
  }
}

/** The type of a converted value. */
export function typeOfTarget(target: ConversionTarget): ValueType {
  return target === 'string' ? 'text' : target
}

/** The text of a value: decimal for numbers, `true` and `false`, ISO 8601 in UTC for times. */
export function toText({ type, sql: value }: ValueOperand): Sql {
  switch (type) {
    case 'text':
      return value
    case 'bool':
      return once(value, sql`if(x = 1, 'true', if(x = 0, 'false', NULL))`)
    case 'time':
      return sql`formatDateTime(${value}, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC')`
    case 'int':
    case 'double':
      return sql`toString(${value})`
  }
}

function toInt(value: ValueOperand): Sql {
  if (value.type === 'int') return value.sql
  if (value.type === 'bool') return sql`toInt64(${value.sql})`
  if (value.type === 'time') return sql`intDiv(toUnixTimestamp64Micro(${value.sql}), 1000000)`
  return sql`toInt64OrNull(${toText(value)})`
}

function toDouble(value: ValueOperand): Sql {
  if (value.type === 'double') return value.sql
  if (value.type === 'int' || value.type === 'bool') return sql`toFloat64(${value.sql})`
  if (value.type === 'time') return sql`toUnixTimestamp64Micro(${value.sql}) / 1000000`
  return sql`toFloat64OrNull(${value.sql})`
}

function toBool(value: ValueOperand): Sql {
  if (value.type === 'bool') return value.sql
  return once(toText(value), sql`multiIf(x = 'true', 1, x = 'false', 0, toUInt8OrNull(x))`)
}

/** An expression that mentions `value` as `x`. The lambda names it, since it may be long: nested, a second mention would double the statement each time. */
function once(value: Sql, expression: Sql): Sql {
  return sql`arrayMap(x -> ${expression}, [${value}])[1]`
}
