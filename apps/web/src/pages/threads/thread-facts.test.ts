import { expect, test } from 'vitest'
import { factsOfThread, titleOfThread } from './thread-facts.ts'

const turn = (part: object = {}) => ({ startedAt: '2026-11-27T14:21:00Z', latencyMs: 2_000, tokens: 10, cost: 0.5, ...part })
const said = (role: string, text: string) => ({ messages: [{ role, parts: [{ type: 'text' as const, text }] }] })

test('a thread is open from the start of its first turn to the end of its last, and its turns are added up', () => {
  expect(factsOfThread([turn(), turn({ startedAt: '2026-11-27T14:22:00Z', cost: null })])).toEqual({
    startedAt: '2026-11-27T14:21:00Z',
    openMs: 62_000,
    tokens: 20,
    cost: 0.5,
    unpriced: 1,
  })
})

test('nothing is known of a turn that runs, of one without tokens and of no turns', () => {
  expect(factsOfThread([turn({ latencyMs: null, tokens: null, cost: null })])).toMatchObject({
    openMs: null,
    tokens: null,
    cost: null,
    unpriced: 0,
  })
  expect(factsOfThread([])).toBeUndefined()
})

test('a thread is titled by the first text of its user, on one line', () => {
  expect(titleOfThread([said('system', 'Be kind.'), said('user', ' Two\n lines ')])).toBe('Two lines')
  expect(titleOfThread([said('user', 'x'.repeat(500))])).toHaveLength(120)
  expect(titleOfThread([said('assistant', 'Hello')])).toBeUndefined()
})
