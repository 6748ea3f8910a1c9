import { expect, test } from 'vitest'
import { isTrial, methodOp, nameInRef, scoreKey } from './op-names.ts'

test.each([
  ['acc', 'score', 'acc.score'],
  ['Größe 1/b', 'predict', 'Größe_1_b.predict'],
  ['a:b<c>', 'score', 'abc.score'],
  ['!', 'predict', '.predict'],
  ['𝒳'.repeat(200), 'score', `${'𝒳'.repeat(122)}.score`],
] as const)('the op of %j that %ss is %j', (name, method, op) => {
  expect(methodOp(name, method)).toBe(op)
})

test.each([
  ['weave:///e/p/object/acc:d', 'acc'],
  ['weave:///e/p/object/acc:d/attr/x', 'acc'],
  ['weave:///e/p/op/f:d', 'f'],
  ['other:///x/acc:d', 'acc'],
  ['acc:d', 'unknown'],
  ['acc', 'unknown'],
  ['', 'unknown'],
  [7, 'unknown'],
  [undefined, 'unknown'],
])('a score by %j has the key %j', (scorer, key) => {
  expect(scoreKey(scorer)).toBe(key)
})

test('only references to objects and ops hold the name of one', () => {
  expect(['weave:///e/p/call/c', 'weave:///e/p/object/o', 'text'].map(nameInRef)).toEqual([undefined, undefined, undefined])
})

test.each([
  ['Evaluation.predict_and_score', true],
  ['Evaluation.predictAndScore', true],
  ['evaluation.predict_and_score', false],
  ['Evaluation.evaluate', false],
])('%s is a trial: %s', (op_short_name, is) => {
  expect(isTrial({ op_short_name })).toBe(is)
})
