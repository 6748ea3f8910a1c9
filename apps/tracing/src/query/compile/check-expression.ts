import type { QueryExpression } from '@heddle/core-api'
import { sql } from '@heddle/datastore'
import { payloadOperand } from '../fields/read-payload.ts'
import { compileExpression } from './compile-expression.ts'

/**
 * Checks a query whose fields are all texts, for those who evaluate it without the store.
 * @param seeField is told each field, and throws for one that cannot be asked for
 * @throws as `compileExpression` does
 */
export function checkExpression(query: QueryExpression, seeField: (path: string) => void): void {
  compileExpression(query, (path) => {
    seeField(path)
    return payloadOperand(sql`''`)
  })
}
