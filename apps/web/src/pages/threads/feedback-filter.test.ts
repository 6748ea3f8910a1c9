import { expect, test } from 'vitest'
import { feedbackTitles, toFeedbackFilter } from './feedback-filter.ts'
import { threadFeedback, threadsSearch } from './threads-search.ts'

test('each kind of feedback of the address has a title and a query of its own', () => {
  const queries = threadFeedback.map((kind) => JSON.stringify(toFeedbackFilter(kind)))
  expect(new Set(queries).size).toBe(threadFeedback.length)
  expect(Object.keys(feedbackTitles)).toEqual([...threadFeedback])
  expect(threadFeedback.map((feedback) => threadsSearch({ feedback }).feedback)).toEqual([...threadFeedback])
  expect(threadsSearch({ feedback: 'great' }).feedback).toBeUndefined()
})

test('conversations without feedback are those that were given none of any kind', () => {
  expect(toFeedbackFilter('given')).toEqual({ feedback: expect.anything() })
  expect(toFeedbackFilter('none')).toEqual({ without_feedback: (toFeedbackFilter('given') as { feedback: unknown }).feedback })
})

test('a reaction counts whatever the tone of its skin', () => {
  expect(JSON.stringify(toFeedbackFilter('good'))).toContain('payload.detoned')
})
