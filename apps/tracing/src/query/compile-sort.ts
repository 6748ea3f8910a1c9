import type { SortBy } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { join, sql, type Sql } from '@heddle/datastore'
import { firstText } from './compile/compare.ts'
import type { FieldReader } from './compile/compile-expression.ts'
import type { Operand } from './compile/operands/operand.ts'
import { refuseUnknownField } from './fields/refuse-field.ts'

const maxKeys = 32

const defaultOrder: readonly SortBy[] = [
  { field: 'started_at', direction: 'asc' },
  { field: 'id', direction: 'asc' },
]

/**
 * Compiles an order of calls: by start and id by default. Ties end at the id, so pages do not overlap.
 * @throws 400 above 32 keys, 422 for a field that has no order.
 */
export function compileSort(sortBy: readonly SortBy[] | null | undefined, readField: FieldReader): Sql {
  const requested = sortBy ?? []
  return compileKeys({ requested, added: finalKeys(requested) }, readField)
}

/** Compiles an order by the caller's keys, and then by those that the record adds. @throws 400 above 32 of the caller's keys. */
export function compileKeys({ requested, added }: { requested: readonly SortBy[]; added: readonly SortBy[] }, readField: FieldReader): Sql {
  if (requested.length > maxKeys) throw badRequest(`sort_by has ${requested.length} keys, at most ${maxKeys} are allowed`)
  return join(
    [...requested, ...added].map(({ field, direction }) => orderOf(readField(field), { field, direction })),
    sql`, `,
  )
}

function finalKeys(requested: readonly SortBy[]): readonly SortBy[] {
  const last = requested.at(-1)
  if (last === undefined) return defaultOrder
  if (requested.some(({ field }) => field === 'id')) return []
  return [{ field: 'id', direction: last.field === 'started_at' ? last.direction : 'desc' }]
}

function orderOf(operand: Operand, { field, direction }: SortBy): Sql {
  if (operand.kind === 'membership' || operand.kind === 'literal') throw refuseUnknownField(field)
  const towards = direction === 'asc' ? sql`ASC` : sql`DESC`
  if (operand.kind === 'texts' && operand.isColumn) return sql`${firstText(operand).sql} ${towards} NULLS LAST`
  if (operand.kind === 'texts') return dynamicOrder(sql`notEmpty(${operand.sql})`, firstText(operand).sql, towards)
  if (operand.order === 'typed') return sql`${operand.sql} ${towards} NULLS LAST`
  return dynamicOrder(operand.present, sql`ifNull(${operand.sql}, '')`, towards)
}

/** The order of texts of dynamic fields: present values first, then by number, then by text. `text` is never NULL. */
export function dynamicOrder(present: Sql, text: Sql, towards: Sql): Sql {
  return sql`${present} DESC, toFloat64OrNull(${text}) ${towards} NULLS LAST, ${text} ${towards}`
}
