import { QueryExpression } from '@heddle/core-api'
import { badRequest, isJsonObject } from '@heddle/core-api/internal'
import { compileCallsQuery } from '../../../query/calls-query.ts'
import { withoutClassKeys } from '../../../payload/without-class-keys.ts'
import { toObjectClass } from '../versions/object-class.ts'

const monitorClasses = new Set<string | null>(['Monitor', 'ClassifierMonitor'])

/**
 * Checks the query of a monitor, which selects the calls to score; other values pass. Keys next to `$expr` belong to the class, not to the query.
 * @throws 422 for a field that calls do not have, 400 for a query of the wrong structure.
 */
export function checkMonitor(val: unknown): void {
  if (!isJsonObject(val) || !monitorClasses.has(toObjectClass(val).leaf_object_class)) return
  if (!isJsonObject(val.query) || !('$expr' in val.query)) return
  const query = QueryExpression.safeParse({ $expr: withoutClassKeys(val.query.$expr) })
  if (!query.success) {
    const issue = query.error.issues[0]
    throw badRequest(`val.query is not a valid query: ${(issue?.path ?? []).map(String).join('.')}: ${issue?.message}`)
  }
  compileCallsQuery({ project_id: '', query: query.data })
}
