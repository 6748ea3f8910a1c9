import { badRequest, type QueryExpression, type QueryOperand } from '@heddle/core-api'

/**
 * The ids that a purge names: `$eq` with an id, `$in` with a list of ids, or an `$or` of such `$eq`.
 * @throws ApiError 400 for every other query.
 */
export function purgedIds({ $expr }: QueryExpression): string[] {
  if ('$or' in $expr && $expr.$or.length > 0) return $expr.$or.map((term) => equalId(term) ?? refuse())
  if ('$in' in $expr && isId($expr.$in[0])) return $expr.$in[1].map((element) => textOf(element) ?? refuse())
  return [equalId($expr) ?? refuse()]
}

function equalId(operand: QueryOperand): string | undefined {
  return '$eq' in operand && isId(operand.$eq[0]) ? textOf(operand.$eq[1]) : undefined
}

function isId(operand: QueryOperand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function textOf(operand: QueryOperand): string | undefined {
  return '$literal' in operand && typeof operand.$literal === 'string' ? operand.$literal : undefined
}

function refuse(): never {
  throw badRequest('Can only purge costs by specifying one or more cost ids')
}
