import { isJsonObject } from '@heddle/core-api/internal'
import type { QueryExpression, QueryOperand } from '@heddle/core-api'

/** Marks the path of a field that is read with booleans as words. No checked path begins with it. */
const wordsOf = 'words of '

/** The path as it was written, and whether its booleans are words. */
export function readWordsPath(path: string): { path: string; isInWords: boolean } {
  return path.startsWith(wordsOf) ? { path: path.slice(wordsOf.length), isInWords: true } : { path, isInWords: false }
}

/**
 * Fields compared with the words `true` and `false` read booleans as these words, while they read as `1` and `0` elsewhere. For queries whose paths
 * have been checked.
 */
export function withWords(query: QueryExpression): QueryExpression {
  return { ...query, $expr: rewrite(query.$expr) as QueryExpression['$expr'] }
}

function rewrite(operand: QueryOperand): QueryOperand {
  if (!isJsonObject(operand) || '$literal' in operand || '$getField' in operand) return operand
  if ('$in' in operand) return rewriteIn(operand)
  const [[name, given] = ['', undefined]] = Object.entries(operand) as [string, unknown][]
  if (!Array.isArray(given)) return { ...operand, [name]: rewriteMembers(given) } as QueryOperand
  const operands = given as QueryOperand[]
  return { ...operand, [name]: comparisons.has(name) ? besideWords(operands) : operands.map(rewrite) } as QueryOperand
}

const comparisons: ReadonlySet<string> = new Set(['$eq', '$gt', '$lt', '$gte', '$lte'])

/** Operands with names, such as those of a conversion. */
function rewriteMembers(given: unknown): unknown {
  if (!isJsonObject(given)) return given
  if (Object.keys(given).some((key) => key.startsWith('$'))) return rewrite(given as QueryOperand)
  return Object.fromEntries(
    Object.entries(given).map(([key, member]) => [key, isJsonObject(member) ? rewrite(member as QueryOperand) : member]),
  )
}

function besideWords([left, right]: readonly QueryOperand[]): QueryOperand[] {
  if (left === undefined || right === undefined) return []
  if (isWord(right)) return [inWords(left), right]
  return isWord(left) ? [left, inWords(right)] : [rewrite(left), rewrite(right)]
}

function rewriteIn(operand: Extract<QueryOperand, { $in: unknown }>): QueryOperand {
  const [input, elements] = operand.$in
  const asNumbers = { $in: [rewrite(input), elements] } as QueryOperand
  if (!('$getField' in input) || !elements.some(isWord)) return asNumbers
  return { $or: [asNumbers, { $in: [inWords(input), elements] } as QueryOperand] }
}

function inWords(operand: QueryOperand): QueryOperand {
  return '$getField' in operand ? { $getField: `${wordsOf}${operand.$getField}` } : rewrite(operand)
}

/** True for the two words that a boolean may be written as. */
function isWord(operand: QueryOperand): boolean {
  return '$literal' in operand && (operand.$literal === 'true' || operand.$literal === 'false')
}
