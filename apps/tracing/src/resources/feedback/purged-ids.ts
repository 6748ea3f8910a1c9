import { badRequest, type QueryExpression, type QueryOperand } from '@heddle/core-api'

const maxIds = 10_000

/**
 * The ids that a query of a purge names, each once.
 * @throws 400 for a query that does anything but name ids, and above 10,000 of them.
 */
export function readPurgedIds({ $expr }: QueryExpression): string[] {
  const ids = new Set(namedIds($expr))
  if (ids.size > maxIds) throw badRequest(`The purge names ${ids.size} ids, at most ${maxIds} are allowed: split it`)
  return [...ids]
}

function namedIds(operand: QueryOperand): string[] {
  if ('$or' in operand && operand.$or.length > 0) return operand.$or.flatMap(namedIds)
  if ('$in' in operand && isId(operand.$in[0])) return operand.$in[1].map(readId)
  if ('$eq' in operand) {
    const [left, right] = operand.$eq
    return [isId(left) ? readId(right) : isId(right) ? readId(left) : refuse()]
  }
  return refuse()
}

function isId(operand: QueryOperand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function readId(operand: QueryOperand): string {
  return '$literal' in operand && typeof operand.$literal === 'string' ? operand.$literal : refuse()
}

function refuse(): never {
  throw badRequest('Can only purge feedback by specifying one or more feedback ids')
}
