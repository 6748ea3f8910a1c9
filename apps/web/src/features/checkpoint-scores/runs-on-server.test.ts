import { expect, test } from 'vitest'
import { findScorerOfProgram } from './runs-on-server.ts'

const scorers = new Map<string, unknown>([
  ['rule', { _class_name: 'ExactMatchScorer', _bases: ['Scorer', 'Object', 'BaseModel'] }],
  ['derived', { _class_name: 'MyMatch', _bases: ['RegexScorer', 'Scorer', 'Object', 'BaseModel'] }],
  ['judge', { _class_name: 'LLMAsAJudgeScorer', _bases: ['Scorer', 'Object', 'BaseModel'] }],
  ['code', { _class_name: 'answer', _bases: ['Scorer', 'Object', 'BaseModel'] }],
  ['odd', { _class_name: 3, _bases: 'Scorer' }],
  ['text', 'no object'],
])

test.each([
  ['rules and judges', { scorers: ['rule', 'derived', 'judge'] }, undefined],
  ['no scorers', {}, undefined],
  ['code among others', { scorers: ['rule', 'code'] }, 'code'],
  ['a scorer of no class', { scorers: ['odd'] }, 'odd'],
  ['a scorer that was not read', { scorers: ['unknown'] }, undefined],
  ['a text and null as scorers', { scorers: ['text', 3, null] }, undefined],
  ['a text in place of scorers', { scorers: 'code' }, undefined],
  ['null as its value', null, undefined],
])('of an evaluation with %s, the one of a program is found', (_, evaluation, found) => {
  expect(findScorerOfProgram(evaluation, scorers)).toBe(found)
})
