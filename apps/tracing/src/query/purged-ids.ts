import type { QueryExpression, QueryOperand } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/**
 * The ids that a query of a purge names, each once: `$eq` of `id` and a text, `$in` with a list of texts, or an `$or` of such `$eq`.
 * @throws ApiError 400 with `refusal` for a query that does anything but name ids.
 */
export function readPurgedIds({ $expr }: QueryExpression, refusal: string): string[] {
  const named = namedIds($expr)
  if (named === undefined) throw badRequest(refusal)
  return [...new Set(named)]
}

function namedIds(operand: QueryOperand): string[] | undefined {
  if ('$or' in operand && operand.$or.length > 0) return all(operand.$or.map(equalId))
  if ('$in' in operand && isId(operand.$in[0])) return all(operand.$in[1].map(textOf))
  return all([equalId(operand)])
}

function equalId(operand: QueryOperand): string | undefined {
  if (!('$eq' in operand)) return undefined
  const [left, right] = operand.$eq
  if (isId(left)) return textOf(right)
  return isId(right) ? textOf(left) : undefined
}

function all(texts: (string | undefined)[]): string[] | undefined {
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function isId(operand: QueryOperand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function textOf(operand: QueryOperand): string | undefined {
  return '$literal' in operand && typeof operand.$literal === 'string' ? operand.$literal : undefined
}
