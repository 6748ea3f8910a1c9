import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { pairRuns } from '../compared-runs.ts'
import { classChoice, isOfClass } from './class-choice.ts'
import { classScores, maxClassCharacters, maxClasses } from './class-scores.ts'
import { classValues } from './class-values.ts'

type Scores = Record<string, unknown>

const aRow = (row_digest: string, scoresByRun: Record<string, Scores[]>): EvalResultsRow => ({
  row_digest,
  raw_data_row: null,
  evaluations: Object.entries(scoresByRun).map(([evaluation_call_id, all]) => ({
    evaluation_call_id,
    trials: all.map(
      (scores) => ({ scores, model_output: 'text', model_latency_seconds: null, total_tokens: null }) as unknown as EvalTrial,
    ),
  })),
})
const rowsOf = (...rows: EvalResultsRow[]) => pairRuns(['a', 'b'], rows).rows

const rows = rowsOf(
  aRow('1', { a: [{ label: 'good', exact: { match: true } }], b: [{ label: 'bad', exact: { match: false } }] }),
  aRow('2', { a: [{ label: 'bad' }, { label: 'bad' }], b: [{ exact: { match: false } }] }),
  aRow('3', { a: [{ label: 'fair', length: 4 }] }),
)

test('each class is counted in the trials of each run, beside those that have none', () => {
  expect(classScores(rows, 2)).toEqual({
    scores: [
      {
        name: 'label',
        classes: ['bad', 'fair', 'good'],
        runs: [
          { counts: [2, 1, 1], withValue: 4, trials: 4 },
          { counts: [1, 0, 0], withValue: 1, trials: 2 },
        ],
      },
      {
        name: 'exact.match',
        classes: ['true', 'false'],
        runs: [
          { counts: [1, 0], withValue: 1, trials: 4 },
          { counts: [0, 2], withValue: 2, trials: 2 },
        ],
      },
    ],
    freeTexts: [],
  })
})

test.each([
  ['a long text', [{ reason: 'x'.repeat(maxClassCharacters + 1) }, { reason: 'short' }]],
  ['too many texts', Array.from({ length: maxClasses + 1 }, (_, at) => ({ reason: `text ${at}` }))],
])('a score with %s is free text', (_what, trials) => {
  expect(classScores(rowsOf(aRow('1', { a: trials })), 2)).toEqual({ scores: [], freeTexts: ['reason'] })
})

test('as many texts as there may be are classes', () => {
  const trials = Array.from({ length: maxClasses }, (_, at) => ({ label: `class ${at}` }))
  expect(classScores(rowsOf(aRow('1', { a: trials })), 2).scores[0]?.classes).toHaveLength(maxClasses)
})

test('a class chooses the rows of which a trial of the run has it', () => {
  const chosen = (search: Parameters<typeof classChoice>[0]) => {
    const choice = classChoice(search)
    return rows.filter((row) => !choice || isOfClass(row, choice)).map(({ row }) => row.row_digest)
  }
  expect(chosen({ score: 'label', is: 'bad' })).toEqual(['1', '2'])
  expect(chosen({ score: 'label', is: 'bad', isIn: 1 })).toEqual(['2'])
  expect(chosen({ score: 'exact.match', is: 'false', isIn: 2 })).toEqual(['1', '2'])
  expect(chosen({ score: 'exact.match', is: 'false', isIn: 3 })).toEqual([])
  expect(chosen({ score: 'label' })).toEqual(['1', '2', '3'])
})

test('numbers, lists, null and empty texts are no classes', () => {
  expect(classValues({ a: 1, b: ['x'], c: null, d: ' ', e: { f: 'x', g: false } })).toEqual([
    { name: 'e.f', value: 'x' },
    { name: 'e.g', value: 'false' },
  ])
})
