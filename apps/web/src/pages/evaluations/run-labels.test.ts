import { expect, test } from 'vitest'
import { runLabels, runTitles } from './run-labels.ts'

const run = (id: string, name: string, model: string | null) => ({
  id,
  name,
  model,
  status: 'completed' as const,
  started_at: '2026-11-23T18:00:00Z',
  duration_us: 1,
  exception: null,
})

test.each([
  ['their names', [run('1', 'before', 'm:1'), run('2', 'after', 'm:1')], ['before', 'after']],
  [
    'their models where names are equal',
    [run('1', 'weather', 'agent-step0:a'), run('2', 'weather', 'agent-step6:b')],
    ['agent-step0', 'agent-step6'],
  ],
  ['both where versions of one model differ', [run('1', 'weather', 'm:1'), run('2', 'weather', 'm:2')], ['weather, m:1', 'weather, m:2']],
  [
    'their ids where all else is equal',
    [run('1-aaaaaaaa', 'weather', null), run('1-bbbbbbbb', 'weather', null)],
    ['weather, aaaaaaaa', 'weather, bbbbbbbb'],
  ],
])('runs are told apart by %s', (_, runs, labels) => {
  expect(runLabels(runs)).toEqual(labels)
})

test('where there is little room, versions of one model stand alone', () => {
  expect(runTitles([run('1', 'weather', 'm:1'), run('2', 'weather', 'm:2')])).toEqual(['m:1', 'm:2'])
  expect(runTitles([run('1', 'before', 'm:1'), run('2', 'after', 'm:2')])).toEqual(['before', 'after'])
  expect(runTitles([run('1', 'weather', 'm:1'), run('2', 'weather', 'm:1')])).toEqual(
    runLabels([run('1', 'weather', 'm:1'), run('2', 'weather', 'm:1')]),
  )
})
