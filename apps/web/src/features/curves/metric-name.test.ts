import { expect, test } from 'vitest'
import { changeText, metricColumnText, metricText, titleOfMetric } from './metric-name.ts'

test.each([
  ['policy_loss', 'Policy loss'],
  ['loss/clipped_token_fraction', 'Clipped tokens'],
  ['val/reward', 'Validation: reward'],
  ['val/answers_right', 'Validation: answers_right'],
  ['own metric', 'own metric'],
])('%s is called %s', (name, title) => expect(titleOfMetric(name)).toBe(title))

test.each([
  ['loss/clipped_token_fraction', 0.0712, '7.12%'],
  ['val/exception_rate', 0, '0%'],
  ['learning_rate', 0.0003, '0.0003'],
  ['policy_loss', -0.025, '−0.025'],
  ['learning_rate', -8.05e-5, '−8.05e−5'],
  ['reward', 0, '0'],
  ['tokens_per_second', 11_400, '11.4K'],
  ['grad_norm', 1.340231, '1.34'],
  ['num_tokens', 1_234.5, '1,235'],
  ['own', 1e-9, '1e−9'],
])('%s of %d is written %s', (name, value, text) => expect(metricText(name, value)).toBe(text))

test('a small value beside larger ones is written as they are', () =>
  expect([metricText('learning_rate', 0.00005, 0.002), metricText('learning_rate', 0.00005)]).toEqual(['0.00005', '5e−5']))

test('values below 1 have three decimals in a column', () =>
  expect([0.93, 1, -0.5, 12.5].map((value) => metricColumnText('reward', value))).toEqual(['0.930', '1', '−0.500', '12.5']))

test('a change has no sign', () => expect([changeText('reward', -0.4094), changeText('grad_norm', 2)]).toEqual(['0.409', '2']))
