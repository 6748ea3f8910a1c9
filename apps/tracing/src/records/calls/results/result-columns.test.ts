import { JsonText } from '@heddle/core-api/internal'
import { textDigest } from '../../../payload/digest.ts'
import { expect, test } from 'vitest'
import { writeEvalCallFacts, readEvalCallFacts } from './eval-call-facts.ts'
import { resultColumns, tokensOf } from './result-columns.ts'
import { readScoreShape, shapeScores } from './score-shape.ts'

const aTrial = { op_short_name: 'Evaluation.predict_and_score', inputs: '{}', output: 'null', attributes: '{}', summary: '{}' }
const known = { eval_marks: '[]', total_tokens: null }

test('a predict-and-score call has the digest of its row, and the places, kinds and values of its scores', () => {
  const output = '{"output":"o","scores":{"a":{"ok":true,"n":{"x":0.5}},"b":"text","c":null,"d":[1],"e":2}}'
  const columns = resultColumns({ ...aTrial, ...known, inputs: '{"example":"ds:v/attr/rows/id/D1"}', output })
  expect(columns).toMatchObject({ trial_row: 'D1', score_values: [1, 0.5, 0, 2] })
  expect(readScoreShape(columns.score_shape)).toEqual({
    keys: ['a', 'b', 'c', 'd', 'e'],
    leaves: [
      { scorer_key: 'a', path: 'ok', kind: 'boolean' },
      { scorer_key: 'a', path: 'n.x', kind: 'number' },
      { scorer_key: 'b', path: null, kind: 'text' },
      { scorer_key: 'e', path: null, kind: 'number' },
    ],
  })
})

test.each([
  ['no example', '{}', textDigest('null')],
  ['an inline row', '{"example":{"b":1,"a":[null]}}', textDigest('{"a": [null], "b": 1}')],
  ['a text', '{"example":"plain"}', textDigest('plain')],
])('a call with %s is about a row of its own', (_, inputs, digest) => {
  expect(resultColumns({ ...aTrial, ...known, inputs }).trial_row).toBe(digest)
})

test('other calls have none of it', () => {
  const columns = resultColumns({ ...aTrial, ...known, op_short_name: 'predict', output: '{"scores":{"a":1}}' })
  expect(columns).toMatchObject({ trial_row: '', score_shape: '', score_values: [] })
})

test('more than a thousand scores have no shape', () => {
  const scores = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`s${at}`, at]))
  const { score_shape, score_values } = shapeScores(scores)
  expect({ shape: readScoreShape(score_shape), score_values }).toEqual({ shape: undefined, score_values: [] })
})

test('what an older version did not write is taken from the payloads', () => {
  const older = { ...aTrial, eval_marks: '', total_tokens: null, inputs: '{"model":"m"}', summary: '{"usage":{"a":{"total_tokens":3}}}' }
  const columns = resultColumns(older)
  expect(columns.total_tokens).toBe(3)
  expect(readEvalCallFacts(columns.eval_marks)).toEqual({ self: null, isScorer: false, scorer: null, model: 'm', namesPredictCall: false })
})

test.each([
  ['a call without any', { op: 'op', inputs: { self: null }, attributes: {} }, '[]'],
  ['a method', { op: 'op', inputs: { self: 'ref' }, attributes: {} }, '["ref",false,null,null,false]'],
  ['an inline object', { op: 'op', inputs: { self: { a: 1 } }, attributes: {} }, '[true,false,null,null,false]'],
  ['a long text', { op: 'op', inputs: { self: 'x'.repeat(1_001) }, attributes: {} }, '[true,false,null,null,false]'],
  [
    'a scorer',
    { op: 'op', inputs: {}, attributes: { weave: { score: 'true', scorer: 'weave:///e/p/object/s:v' } } },
    '[null,true,"s",null,false]',
  ],
  ['a scorer of a logger', { op: 'op', inputs: {}, attributes: { _weave_eval_meta: { score: true } } }, '[null,true,null,null,false]'],
  ['one with empty marks', { op: 'op', inputs: {}, attributes: { weave: { score: true }, _weave_eval_meta: { score: [] } } }, '[]'],
  [
    'ready texts',
    { op: 'op', inputs: new JsonText('{"\\u0073elf":"ref"}'), attributes: new JsonText(Buffer.from('{}')) },
    '["ref",false,null,null,false]',
  ],
  [
    'a trial',
    { op: 'E.predict_and_score', inputs: { model: 'm' }, attributes: { weave: { predict_call_id: 'p' } } },
    '[null,false,null,"m",true]',
  ],
])('the marks of %s', (_, call, marks) => {
  expect(writeEvalCallFacts(call)).toBe(marks)
})

test.each([
  [{ usage: { a: { total_tokens: 1e300 } } }, Number.MAX_SAFE_INTEGER],
  [{ usage: { a: { total_tokens: 0 } } }, 0],
  [{ usage: { a: { total_tokens: '12' } } }, null],
  [{ usage: { a: { prompt_tokens: 10, input_tokens: 10, output_tokens: 2 } } }, 12],
  [{}, null],
])('tokens of %j', (summary, tokens) => {
  expect(tokensOf(summary)).toBe(tokens)
})
