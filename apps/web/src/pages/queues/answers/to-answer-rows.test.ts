import { JsonNumber, stringifyJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import type { QueueAnswer } from '../../../features/queues/answers-query.ts'
import { toAnswerRows } from './to-answer-rows.ts'

const answer = (callId: string, annotator: string, field: string | undefined, value: unknown): QueueAnswer => ({
  callId,
  annotator,
  field,
  isCorrection: false,
  value,
  createdAt: '2026-01-01T00:00:00Z',
})

test('a row has its call, a value for each field, those of annotators who differ by name, and notes', () => {
  const calls = [
    { id: 'a', columns: { question: 'Why?', output: 'So.' } },
    { id: 'b', columns: { question: 'How?' } },
  ]
  const answers = [
    answer('a', 'ann', 'correct', false),
    answer('a', 'ann', 'correct', true),
    answer('a', 'bob', 'correct', true),
    answer('a', 'ann', 'tone', 'kind'),
    answer('a', 'bob', 'tone', 'rude'),
    answer('a', 'bob', undefined, 'Too short.'),
  ]
  expect(toAnswerRows(calls, answers)).toEqual([
    {
      question: 'Why?',
      output: 'So.',
      annotations: { correct: true, tone: { ann: 'kind', bob: 'rude' } },
      notes: ['Too short.'],
      call_id: 'a',
    },
    { question: 'How?', annotations: {}, call_id: 'b' },
  ])
})

test('a corrected output is the expected value, also where the call names another, and those who differ are named', () => {
  const calls = ['a', 'b', 'c'].map((id) => ({ id, columns: { output: 'So.', expected: 'old' } }))
  const corrected = (callId: string, annotator: string, value: unknown) => ({
    ...answer(callId, annotator, undefined, value),
    isCorrection: true,
  })
  const answers = [
    corrected('a', 'ann', 'First.'),
    corrected('a', 'ann', { text: 'Because.' }),
    corrected('b', 'ann', 'x'),
    corrected('b', 'bob', 'y'),
  ]
  expect(toAnswerRows(calls, answers)).toEqual([
    { output: 'So.', expected: { text: 'Because.' }, annotations: {}, call_id: 'a' },
    { output: 'So.', expected: { ann: 'x', bob: 'y' }, annotations: {}, call_id: 'b' },
    { output: 'So.', expected: 'old', annotations: {}, call_id: 'c' },
  ])
})

test('answers that differ in digits alone are told apart and kept', () => {
  const [one, other] = ['9007199254740992', '9007199254740993'].map((text) => new JsonNumber(text))
  const rows = toAnswerRows([{ id: 'a', columns: {} }], [answer('a', 'ann', 'id', one), answer('a', 'bob', 'id', other)])
  expect(stringifyJson(rows)).toBe('[{"annotations":{"id":{"ann":9007199254740992,"bob":9007199254740993}},"call_id":"a"}]')
})
