import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newChart } from '../../features/dashboard-charts/chart.ts'
import { insertChart, moveChart, putChart } from './move-chart.ts'

const charts = ['a', 'b', 'c'].map(newChart)
const idsOf = (moved: readonly { id: string }[]) => moved.map(({ id }) => id).join('')

test.each([
  ['a', 1, 'bac'],
  ['c', -1, 'acb'],
  ['a', -1, 'abc'],
  ['c', 5, 'abc'],
  ['b', -5, 'bac'],
  ['unknown', 1, 'abc'],
])('%s moved by %i gives %s', (id, by, ids) => expect(idsOf(moveChart(charts, id, by))).toBe(ids))

test('a move that reaches no end is taken back by the opposite one, and no chart is lost', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }), fc.nat(), fc.integer(), (ids, place, by) => {
      const all = ids.map(newChart)
      const at = place % all.length
      const { id } = all[at]!
      const step = Math.max(-at, Math.min(all.length - 1 - at, by % 20))
      const moved = moveChart(all, id, step)
      expect(moved[at + step]?.id).toBe(id)
      expect(new Set(moved)).toEqual(new Set(all))
      expect(moveChart(moved, id, -step)).toEqual(all)
    }),
  )
})

test('a chart that is known is replaced in its place, another comes last', () => {
  expect(putChart(charts, { ...newChart('b'), title: 'new' }).map(({ title }) => title)).toEqual(['', 'new', ''])
  expect(idsOf(putChart(charts, newChart('d')))).toBe('abcd')
})

test.each([
  ['d', 1, 'adbc'],
  ['d', 9, 'abcd'],
  ['b', 0, 'abc'],
])('%s put in at %i gives %s', (id, at, ids) => expect(idsOf(insertChart(charts, newChart(id), at))).toBe(ids))
