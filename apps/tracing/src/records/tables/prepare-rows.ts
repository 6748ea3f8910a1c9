import { inParts } from '@heddle/datastore'
import type { JsonObject } from '@heddle/core-api'
import { canonicalJson, stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'
import { textDigest } from '../../payload/digest.ts'
import { type RefProjects, rewriteRefs } from '../../payload/rewrite-refs.ts'
import type { NewTableRow } from './table-rows-store.ts'

/** Rows whose references are read together. */
const rowsAtOnce = 100

/**
 * Rows of a request as they are stored: references in external form, digests taken over the internal one. In the given order.
 * @throws 400, 403 and 413 as `rewriteRefs` does.
 */
export async function prepareRows(rows: readonly JsonObject[], refProjects: RefProjects): Promise<NewTableRow[]> {
  const prepared: NewTableRow[] = []
  const pace = timeSlices.begin()
  for (const some of inParts(rows, rowsAtOnce)) {
    const { internal, external } = await rewriteRefs(some, refProjects)
    for (const [index, val] of (external as JsonObject[]).entries()) {
      const canonical = canonicalJson((internal as JsonObject[])[index])
      const digest = textDigest(canonical)
      const rest = pace()
      if (rest) await rest
      prepared.push({ digest, json: stringifyJson(val), bytes: canonical.length })
      const turn = pace()
      if (turn) await turn
    }
  }
  return prepared
}
