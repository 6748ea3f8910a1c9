import { expect, test } from 'vitest'
import { progressOf, type ScoreCall, scoresOfCalls } from './scores-of-calls.ts'

const scorers = ['weave:///e/p/object/exact:v0', 'weave:///e/p/object/judge:v1']
const scoreCall = (id: string, [callId, scorer]: [string, string], fields: Partial<ScoreCall> = {}): ScoreCall => ({
  id,
  attributes: { weave: { score: 'true', prediction_id: callId, scorer } },
  output: { match: true },
  exception: null,
  ...fields,
})

test('each score that was requested is made, failed or waited for', () => {
  const calls = [
    scoreCall('s1', ['a', scorers[0]!]),
    scoreCall('s2', ['a', scorers[1]!], { exception: '{"type":"ModelError","message":"no such model"}' }),
    scoreCall('s3', ['b', scorers[1]!], { exception: 'plain reason' }),
    scoreCall('other', ['c', scorers[0]!]),
  ]
  const scores = scoresOfCalls({ callIds: ['a', 'b'], scorers, before: new Set() }, calls)
  expect(scores.map(({ callId, scorer, state, text, scoreCallId }) => [callId, scorer, state, text, scoreCallId])).toEqual([
    ['a', 'exact', 'made', '{"match":true}', 's1'],
    ['a', 'judge', 'failed', 'no such model', 's2'],
    ['b', 'exact', 'waiting', '', undefined],
    ['b', 'judge', 'failed', 'plain reason', 's3'],
  ])
  expect(progressOf(scores)).toBe('3 of 4 scores are there: 1 made, 2 failed.')
})

test('scores of before are not treated as the new ones', () => {
  const calls = [scoreCall('old', ['a', scorers[0]!]), scoreCall('new', ['a', scorers[1]!])]
  const scores = scoresOfCalls({ callIds: ['a'], scorers, before: new Set(['old']) }, calls)
  expect(scores.map(({ state }) => state)).toEqual(['waiting', 'made'])
  expect(progressOf(scores.slice(1))).toBe('All scores are there: 1 made.')
})
