import type { ProjectScope } from '@heddle/identity'
import { expect, test } from 'vitest'
import type { PlainRowTrial, RowStarts } from '../../../query/results/trials-in.ts'
import { findRows } from './find-rows.ts'

const aTrial = (id: string): PlainRowTrial => ({
  id,
  row_digest: 'd',
  place: '0',
  started_micros: 1,
  version: '1',
  bytes: 1,
  ended_micros: null,
  eval_marks: '[]',
  total_tokens: null,
  may_name_spans: false,
  inputs: '{}',
  output: 'null',
})

/** A store with one trial, and its requests. */
function askingStore(ids: readonly string[] = ['t']) {
  const asked: string[] = []
  const answering =
    <Answer>(name: string, answer: Answer) =>
    () => {
      asked.push(name)
      return Promise.resolve(answer)
    }
  const store = {
    trialsOfRows: answering('keys', [aTrial('t')]),
    plainTrialsOfRows: answering('trials', [aTrial('t')]),
    idsOfTrials: answering('ids', [...ids]),
    childMarks: answering('children', []),
    children: answering('payloads of children', []),
  }
  return { store, asked }
}

const find = (store: ReturnType<typeof askingStore>['store'], row: Partial<RowStarts>, children = true) =>
  findRows(store, {
    project: { id: 'e/p' } as ProjectScope,
    evaluations: ['e'],
    rows: [{ row_digest: 'd', starts: [1], bytes: 1, ...row }],
    view: { children, costs: false, counted: undefined },
  })

test('the trials of a small page are read with their keys, and the calls below them at the same time', async () => {
  const { store, asked } = askingStore()
  const { rows, known } = await find(store, {})
  expect(asked.toSorted()).toEqual(['children', 'ids', 'trials'])
  expect(rows[0]?.evaluations[0]?.trials).toHaveLength(1)
  expect([[...(known?.plain.keys() ?? [])], [...(known?.children.keys() ?? [])]]).toEqual([['t'], ['t']])
})

test('calls below are not searched for where they are not shown', async () => {
  const { store, asked } = askingStore()
  await find(store, {}, false)
  expect(asked).toEqual(['trials'])
})

test.each([{ starts: Array.from({ length: 501 }, () => 1) }, { bytes: 8 * 1024 * 1024 + 1 }, { starts: [] }])(
  'of many trials, large ones or none only keys are read (%#)',
  async (row) => {
    const { store, asked } = askingStore()
    expect((await find(store, row)).known).toBeUndefined()
    expect(asked).toEqual(['keys'])
  },
)

test('where very many calls have the start of a trial, calls below are left to be read by the trials', async () => {
  const { store, asked } = askingStore(Array.from({ length: 1_001 }, (_, at) => String(at)))
  expect((await find(store, {})).known?.children.size).toBe(0)
  expect(asked.toSorted()).toEqual(['ids', 'trials'])
})
