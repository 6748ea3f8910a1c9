import { JsonNumber } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import type { StoredChild, StoredChildMarks } from '../eval-results-store.ts'
import { type ChildCall, toChildCall, toMarkedCall } from './child-call.ts'
import { findLateScores } from './late-scores.ts'
import { durationSeconds, latencyInOutput } from './latency.ts'
import { modelOutput } from './predict-and-score.ts'
import { findPredictCall, type PredictHints } from './predict-call.ts'
import { findScorerCalls } from './scorer-calls.ts'
import { isScorer } from './is-scorer.ts'
import { findSpanRefs } from './span-refs.ts'
import { totalTokens } from '../../../records/calls/results/total-tokens.ts'

const object = (name: string) => `weave:///e/p/object/${name}:v`
const op = (name: string) => `weave:///e/p/op/${name}:v`

function aChild({ op_short_name = 'step', ...over }: Partial<ChildCall> & { id: string }): ChildCall {
  const times = { started_micros: 0, ended_micros: 1_000_000, failed: false }
  const nothing = {
    self: null,
    isMarked: false,
    scorer: null,
    tokens: null,
    usage: null,
    spans: null,
    output: '1',
    kind_words: '',
    span_scope: '',
    service_tier: '',
  }
  return { parent_id: 'p', kind: 'k', op_short_name, op_name: op(op_short_name), ...times, ...nothing, ...over }
}

const columns = {
  id: 'c',
  parent_id: 'p',
  kind: 'k',
  op_name: op('step'),
  op_short_name: 'step',
  started_micros: 0,
  ended_micros: 1,
  failed: false,
}
const aStored: StoredChild = { ...columns, self: '', weave: '', score_mark: '', usage: '', spans: '', output: '1' }
const someMarks: StoredChildMarks = { ...columns, eval_marks: '[]', total_tokens: null, usage: '', may_name_spans: false }

const hints: PredictHints = { model: object('m1'), predictCallId: null, scoreKeys: ['exact'] }

describe('the predict call is', () => {
  const other = aChild({ id: 'other' })
  test.each<[string, ChildCall[], Partial<PredictHints>, string | undefined]>([
    ['the call on the model', [other, aChild({ id: 'a', self: object('m1') })], {}, 'a'],
    ['the call of the function that is the model', [other, aChild({ id: 'b', op_short_name: 'ask' })], { model: op('ask') }, 'b'],
    ['one named after predicting', [other, aChild({ id: 'c', op_short_name: 'M.PREDICT' })], {}, 'c'],
    ['one named after invoking', [other, aChild({ id: 'c', op_short_name: 'reinvoke' })], {}, 'c'],
    ['the first of these', [aChild({ id: 'c', op_short_name: 'predict' }), aChild({ id: 'a', self: object('m1') })], {}, 'c'],
    ['no marked scorer', [aChild({ id: 's', op_short_name: 'predict', isMarked: true }), other], {}, 'other'],
    ['else the one that the attributes name', [other, aChild({ id: 'd' })], { predictCallId: 'd' }, 'd'],
    [
      'else the first that is not a scorer',
      [aChild({ id: 's', op_short_name: 'x.score' }), aChild({ id: 'k', op_short_name: 'exact' }), other],
      {},
      'other',
    ],
    ['none where only scorers are', [aChild({ id: 's', op_short_name: 'x.score' })], {}, undefined],
    ['not found by a model and a self that are both missing', [aChild({ id: 's', op_short_name: 'exact' })], { model: null }, undefined],
    [
      'not found by the name of the project',
      [aChild({ id: 's', op_name: 'weave:///e/predict/op/exact:v', op_short_name: 'exact' })],
      {},
      undefined,
    ],
  ])('%s', (_, children, over, id) => {
    expect(findPredictCall(children, { ...hints, ...over })?.id).toBe(id)
  })
})

test.each([
  ['the attribute "true"', { weave: '{"score":"true"}' }, true, true],
  ['an attribute that is not text', { weave: '{"score":true}' }, false, false],
  ['the mark of a logger', { score_mark: '{"scorer":1}' }, true, true],
  ['an empty mark', { score_mark: '{}' }, false, false],
  ['a mark of 0', { score_mark: '0.0' }, false, false],
  ['the name of its op', { op_short_name: 'My.Score' }, false, true],
  ['a scorer in the name of its op', { op_short_name: 'MyScorer.run' }, false, true],
  ['nothing', {}, false, false],
])('%s marks a scorer', (_, over, marked, scorer) => {
  const child = toChildCall({ ...aStored, ...over })
  expect([child.isMarked, isScorer(child)]).toEqual([marked, scorer])
})

test('the columns of a call tell what its payloads do', () => {
  const payloads = { self: '"ref"', weave: `{"score":"true","scorer":"${object('s')}"}`, usage: '{"m":{"total_tokens":3}}' }
  const marks = { eval_marks: '["ref",true,"s",null,false]', total_tokens: 3, usage: payloads.usage }
  expect(toMarkedCall({ ...someMarks, ...marks })).toEqual(toChildCall({ ...aStored, ...payloads, output: '' }))
})

test.each([
  ['an older version wrote it', { eval_marks: '' }],
  ['it belongs to something that is not a short text', { eval_marks: '[true,false,null,null,false]' }],
  ['it may name spans', { may_name_spans: true }],
  ['its tokens are more than the column holds', { total_tokens: Number.MAX_SAFE_INTEGER }],
])('the columns of a call do not tell enough where %s', (_, over) => {
  expect(toMarkedCall({ ...someMarks, ...over })).toBeUndefined()
})

describe('the call of a score is', () => {
  test.each<[string, string, ChildCall[], string | undefined]>([
    [
      'that of the scorer with its name',
      'len',
      [aChild({ id: 'a', op_short_name: 'len2.score' }), aChild({ id: 'b', op_short_name: 'J.score', self: object('len') })],
      'b',
    ],
    ['that whose attributes name the scorer', 'len', [aChild({ id: 'a', isMarked: true, scorer: 'len' })], 'a'],
    ['that of the op with its name', 'len', [aChild({ id: 'a', op_short_name: 'len.score' })], 'a'],
    ['a plain op with its name', 'len', [aChild({ id: 'a', op_short_name: 'len' })], 'a'],
    ['else a scorer whose op has it in its name', 'LEN', [aChild({ id: 'a', op_short_name: 'max_len.score' })], 'a'],
    ['else a scorer whose op is in it', 'my_len.score_1', [aChild({ id: 'a', op_short_name: 'len.score' })], 'a'],
    ['not a plain op with it in its name', 'len', [aChild({ id: 'a', op_short_name: 'max_len' })], undefined],
  ])('%s', (_, key, children, id) => {
    expect(findScorerCalls([key], children, undefined)).toEqual(id === undefined ? {} : { [key]: id })
  })

  test('never the predict call, and one call may serve several keys', () => {
    const predict = aChild({ id: 'p', op_short_name: 'len' })
    const scorer = aChild({ id: 's', op_short_name: 'len.score' })
    expect(findScorerCalls(['len', 'max_len.score'], [predict, scorer], predict)).toEqual({ len: 's', 'max_len.score': 's' })
  })
})

test('late scores are those of scorers that have succeeded and are not known yet', () => {
  const late = findLateScores(
    ['known'],
    [
      aChild({ id: '1', op_short_name: 'known.score' }),
      aChild({ id: '2', op_short_name: 'new.score', output: '{"a":1.0}' }),
      aChild({ id: '3', op_short_name: 'new.score', output: '2' }),
      aChild({ id: '4', op_short_name: 'failed.score', failed: true }),
      aChild({ id: '5', op_short_name: 'open.score', ended_micros: null }),
      aChild({ id: '6', op_short_name: 'silent.score', output: 'null' }),
      aChild({ id: '7', op_short_name: 'plain' }),
    ],
  )
  expect([...late]).toEqual([['new', '{"a":1.0}']])
})

test.each([
  ['its mean', { model_latency: { mean: 0.5 } }, 0.5],
  ['a number', { model_latency: new JsonNumber('1.0') }, 1],
  ['nothing of a text', { model_latency: '1' }, null],
  ['nothing of null', { model_latency: null }, null],
])('a latency in the output is %s', (_, output, seconds) => {
  expect(latencyInOutput(output)).toBe(seconds)
})

test('a call that runs has no duration', () => {
  expect(durationSeconds({ started_micros: 5, ended_micros: null })).toBeNull()
  expect(durationSeconds({ started_micros: 0, ended_micros: 1_500_000 })).toBe(1.5)
})

test('the output of the model is `output` if there is one, even null, else `model_output`', () => {
  expect(modelOutput({ output: { output: null, model_output: 1 } })).toBeNull()
  expect(modelOutput({ output: { model_output: 1 } })).toBe(1)
  expect(modelOutput({ output: {} })).toBeNull()
})

test.each([
  ['totals are added over models', { a: { total_tokens: 2 }, b: { total_tokens: new JsonNumber('3.9') } }, 5],
  ['0 counts as tokens', { a: { total_tokens: 0 } }, 0],
  ['a model without a total counts its parts', { a: { prompt_tokens: 3, completion_tokens: 4 }, b: { input_tokens: 1 } }, 8],
  ['a text is not a count', { a: { total_tokens: '5' } }, null],
  ['no model has any', { a: {} }, null],
  ['there is no usage', null, null],
])('tokens: %s', (_, usage, total) => {
  expect(totalTokens(usage)).toBe(total)
})

test('spans are those of the predict call and then of the trial, each once, without what is malformed', () => {
  const span = (span_id: string) => ({ trace_id: 't', span_id })
  const predict = toChildCall({
    ...aStored,
    weave: JSON.stringify({ genai_span_ref: [span('a'), { trace_id: 't' }, span('b')] }),
    spans: JSON.stringify([span('x')]),
  })
  expect(findSpanRefs([predict, { spans: span('a') }, { spans: [span('c')] }])).toEqual([span('a'), span('b'), span('c')])
  expect(findSpanRefs([undefined, { spans: null }])).toBeNull()
})
