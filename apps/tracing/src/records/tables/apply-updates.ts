import { setImmediate } from 'node:timers/promises'
import type { TableUpdate } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { DigestList } from './digest-list.ts'

/** Changes after which other requests get their turn. */
const changesPerTurn = 2_000

/**
 * Makes the changes in the list, one after the other. `newDigests`: of the rows that they bring, in order.
 * Returns the digest of the row that each one added or removed.
 * @throws 400 for a position outside the list that the changes before it left.
 */
export async function applyUpdates(list: DigestList, updates: readonly TableUpdate[], newDigests: readonly string[]): Promise<string[]> {
  const fresh = newDigests.values()
  const next = () => fresh.next().value ?? ''
  const changed: string[] = []
  for (const [number, update] of updates.entries()) {
    if (number % changesPerTurn === changesPerTurn - 1) await setImmediate()
    if ('append' in update) {
      const digest = next()
      list.append(digest)
      changed.push(digest)
    } else if ('insert' in update) {
      const digest = next()
      checkIndex(update.insert.index, { end: list.length + 1, number, what: 'insert', list })
      await list.insert(update.insert.index, digest)
      changed.push(digest)
    } else {
      checkIndex(update.pop.index, { end: list.length, number, what: 'pop', list })
      changed.push(await list.remove(update.pop.index))
    }
  }
  return changed
}

function checkIndex(
  index: number,
  { end, number, what, list }: { end: number; number: number; what: 'insert' | 'pop'; list: DigestList },
): void {
  if (index >= 0 && index < end) return
  throw badRequest(`Index out of range: updates.${number}.${what}.index is ${index}, but the table has ${list.length} rows there`)
}
