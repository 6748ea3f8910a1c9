import { latencyMeasure } from '@heddle/evaluations'
import { expect, test } from 'vitest'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'
import { toDifferences } from './forest-rows.ts'

type Ends = [low: number, high: number]
const mean = (value: number) => ({ value, interval: null, method: 'bca' as const })
function column(value: number, isRate: boolean, difference?: number, ends?: Ends): MeasuredColumn {
  const interval = ends ? { low: ends[0], high: ends[1] } : null
  const counts = { paired_rows: 4, p_value: isRate ? 0.024 : null, higher_rows: 3, lower_rows: 1 }
  return {
    mean: mean(value),
    isRate,
    comparison: difference === undefined ? undefined : { ...counts, difference: { value: difference, interval, method: 'bca' } },
  }
}

test('rates differ in percentage points, and other measures in percent of the baseline', () => {
  const columns = new Map([
    ['exact', [column(0.5, true), column(0.75, true, 0.25, [0.1, 0.4])]],
    ['length', [column(-2, false), column(-1, false, 1, [-0.5, 2])]],
    [latencyMeasure, [column(4, false), column(3, false, -1)]],
  ])
  expect(toDifferences(columns, ['exact', 'length', latencyMeasure, 'other'], 1)).toMatchObject({
    rows: [
      {
        id: 'exact',
        value: 25,
        low: 10,
        high: 40,
        text: '▲ +25 pp',
        intervalText: '+10 to +40',
        note: '3 better · 1 worse · p 0.024',
        good: 'up',
      },
      { id: 'length', value: 50, low: -25, high: 100, text: '▲ +1', intervalText: '−0.5 to +2', note: '3 better · 1 worse' },
      { id: latencyMeasure, name: 'Latency', value: -25, low: undefined, text: '▼ −1.00 s', note: '1 better · 3 worse', good: 'down' },
    ],
    domain: [-25, 100],
    leftOut: [],
  })
})

test('a measure whose baseline is 0 is left out by name, and the axis ends at 100% on each side', () => {
  const columns = new Map([
    ['zero', [column(0, false), column(1, false, 1, [0.5, 1.5])]],
    ['far', [column(1, false), column(9, false, 8, [-4, 20])]],
  ])
  expect(toDifferences(columns, ['zero', 'far'], 1)).toMatchObject({
    rows: [{ id: 'far', value: 800 }],
    domain: [-100, 100],
    leftOut: ['zero'],
  })
  expect(toDifferences(columns, [], 1).domain).toEqual([-1, 1])
})
