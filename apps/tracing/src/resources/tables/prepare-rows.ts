import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '@heddle/core-api'
import { canonicalJson, stringifyJson } from '@heddle/json'
import { textDigest } from '../../payload/digest.ts'
import { type RefProjects, rewriteRefs } from '../../payload/rewrite-refs.ts'
import type { NewTableRow } from './table-rows-store.ts'

/** Characters of JSON after which other requests get their turn. */
const charactersPerTurn = 500_000
const rowsAtOnce = 100

/**
 * Rows of a request as they are stored: references in external form, digests taken over the internal one. In the given order.
 * @throws 400, 403 and 413 as `rewriteRefs` does.
 */
export async function prepareRows(rows: readonly JsonObject[], refProjects: RefProjects): Promise<NewTableRow[]> {
  const prepared: NewTableRow[] = []
  let characters = 0
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const { internal, external } = await rewriteRefs(rows.slice(at, at + rowsAtOnce), refProjects)
    for (const [index, val] of (external as JsonObject[]).entries()) {
      const canonical = canonicalJson((internal as JsonObject[])[index])
      prepared.push({ digest: textDigest(canonical), json: stringifyJson(val), bytes: canonical.length })
      characters += canonical.length
      if (characters < charactersPerTurn) continue
      characters = 0
      await setImmediate()
    }
  }
  return prepared
}
