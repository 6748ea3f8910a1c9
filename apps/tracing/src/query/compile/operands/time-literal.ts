import { parseTimestamp } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { bind, sql, type Sql } from '@heddle/datastore'
import type { LiteralOperand } from './operand.ts'

/** Bounds of the times that the store can compare, in microseconds: 1900 to 2262. Literals beyond are clamped. */
const earliestMicros = -2_208_988_800_000_000n
const latestMicros = 9_214_646_400_000_000n

/**
 * The point in time that a literal names: text is an ISO 8601 date or date-time (no zone means UTC), a number is unix seconds.
 * @throws 400 for text that is neither, and for booleans.
 */
export function timeLiteral(literal: LiteralOperand): Sql {
  return sql`fromUnixTimestamp64Micro(${bind('Int64', clamp(readMicros(literal)))})`
}

function readMicros(literal: LiteralOperand): bigint {
  if (literal.type === 'int') return literal.value * 1_000_000n
  if (literal.type === 'double' && !Number.isNaN(literal.value)) return secondsToMicros(literal.value)
  const micros = literal.type === 'text' && /[-]/.test(literal.value.slice(1)) ? parseTimestamp(literal.value) : undefined
  if (micros !== undefined) return BigInt(micros)
  throw badRequest(
    `A time cannot be compared with ${literal.type === 'null' ? 'null' : JSON.stringify(String(literal.value))}: ` +
      'use ISO 8601 text such as "2026-03-01T12:00:00Z", or unix seconds as a number',
  )
}

function secondsToMicros(seconds: number): bigint {
  const limit = Number(latestMicros)
  return BigInt(Math.round(Math.min(Math.max(seconds * 1e6, -limit), limit)))
}

function clamp(micros: bigint): bigint {
  if (micros < earliestMicros) return earliestMicros
  return micros > latestMicros ? latestMicros : micros
}
