import { sql, type Sql } from '@heddle/datastore'
import { literalValue } from './operands/literal.ts'
import type { Operand } from './operands/operand.ts'
import { refuseOperand } from './operands/refuse-operand.ts'
import { mayBeWritten } from './written-words.ts'

export interface Containment {
  input: Operand
  substr: Operand
  ignoresCase: boolean
}

/** 1 where the text holds the substring, else 0, never NULL. A value that is not text contains nothing; every text contains the empty text. */
export function compileContains({ input, substr, ignoresCase }: Containment): Sql {
  const part = textOf(substr)
  if (part === undefined) return sql`0`
  const fold = (text: Sql) => (ignoresCase ? foldCase(text) : text)
  if (input.kind === 'texts' && input.isSet) return sql`ifNull(arrayExists(s -> ${fold(sql`s`)} = ${fold(part)}, ${input.sql}), 0)`
  if (input.kind === 'texts') return sql`ifNull(arrayExists(s -> position(${fold(sql`s`)}, ${fold(part)}) > 0, ${input.sql}), 0)`
  const text = textOf(input)
  if (text === undefined) return sql`0`
  const isHeld = sql`ifNull(position(${fold(text)}, ${fold(part)}) > 0, 0)`
  const mayHold = ignoresCase ? undefined : mayBeHeld(input, substr)
  return mayHold === undefined ? isHeld : sql`(${mayHold} AND ${isHeld})`
}

/** A cheap test on the text in which the value is written; it ignores case, since letters of other alphabets may have ASCII letters as lower case. */
export function mayBeHeld(input: Operand, substr: Operand): Sql | undefined {
  if (input.kind !== 'value' || input.writtenIn === undefined || substr.kind !== 'literal' || substr.type !== 'text') return undefined
  return mayBeWritten(input.writtenIn, substr.value)
}

/** Lower case of every letter. The two small forms of sigma are one letter, or a word could not be found by its beginning. */
function foldCase(text: Sql): Sql {
  return sql`replaceAll(lowerUTF8(${text}), 'ς', 'σ')`
}

function textOf(operand: Operand): Sql | undefined {
  if (operand.kind === 'membership') throw refuseOperand('Membership of a queue', '$contains', 'use $eq with a queue id')
  if (operand.kind === 'texts') return undefined
  const value = operand.kind === 'literal' ? literalValue(operand) : operand
  return value.type === 'text' ? value.sql : undefined
}
