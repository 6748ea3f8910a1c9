import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from './parse-rows.ts'
import { addRows, changeRow, countEdits, noEdits, type RowEdits, toTableUpdates, toggleRemoved } from './row-edits.ts'

/** What the service does with the changes, as its contract says. */
function applied(rows: readonly Row[], edits: RowEdits): Row[] {
  const list = [...rows]
  for (const update of toTableUpdates(edits)) {
    if ('append' in update) list.push(update.append.row)
    else if ('pop' in update) list.splice(update.pop.index, 1)
    else list.splice(update.insert.index, 0, update.insert.row)
  }
  return list
}

/** What a person expects of them. */
const expected = (rows: readonly Row[], { changed, removed, added }: RowEdits): Row[] => [
  ...rows.map((row, place) => changed.get(place) ?? row).filter((_, place) => !removed.has(place)),
  ...added,
]

test('changes, removals and new rows become the rows that a person sees', () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('change' as const), place: fc.nat(9), n: fc.nat() }),
    fc.record({ do: fc.constant('remove' as const), place: fc.nat(9), n: fc.nat() }),
    fc.record({ do: fc.constant('add' as const), place: fc.nat(9), n: fc.nat() }),
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
      const rows = Array.from({ length: 10 }, (_, at) => ({ at }))
      const edits = actions.reduce((edits: RowEdits, { do: what, place, n }) => {
        if (what === 'change') return changeRow(edits, place, { n })
        return what === 'remove' ? toggleRemoved(edits, place) : addRows(edits, [{ n }])
      }, noEdits)
      expect(applied(rows, edits)).toEqual(expected(rows, edits))
    }),
  )
})

test('removing a row and restoring it is not an edit', () => {
  expect(countEdits(toggleRemoved(toggleRemoved(noEdits, 3), 3))).toBe(0)
})
