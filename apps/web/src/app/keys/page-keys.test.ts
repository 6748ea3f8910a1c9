import { expect, test } from 'vitest'
import { keysOf } from './page-keys.ts'
import { hasOwnHelp } from './use-global-keys.ts'

test.each([
  ['/e/p/calls/1', 'in the tree: previous and next call'],
  ['/e/p/datasets/d', 'in the rows: choose a row'],
  ['/e/p/dashboards/d', 'on the place of a chart, while the dashboard is edited: move the chart'],
  ['/e/p/training/jobs/1', 'on a bin of the rewards: choose its groups, or all again'],
])('%s has keys of its own before those of every page', (path, first) => {
  expect(keysOf(path)[0]?.does).toBe(first)
  expect(keysOf(path).at(-1)?.keys).toBe('Esc')
})

test('the keys of a trace close and open calls', () => expect(keysOf('/e/p/calls/1').map(({ keys }) => keys)).toContain('← →'))

test('every page has the global keys', () => {
  expect(keysOf('/').map(({ keys }) => keys)).toContain('?')
  expect([hasOwnHelp('/e/p/queues/q/annotate/i'), hasOwnHelp('/e/p/queues/q')]).toEqual([true, false])
})
