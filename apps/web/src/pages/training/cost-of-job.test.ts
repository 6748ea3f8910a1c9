import { expect, test } from 'vitest'
import { costOfJob } from './cost-of-job.ts'

const price = (effective_date: string, prompt_token_cost: number, llm_id = 'base') => ({ llm_id, effective_date, prompt_token_cost })
const newestFirst = [price('2026-03-01T00:00:00Z', 4), price('2026-02-01T00:00:00.000000Z', 8, 'other'), price('2026-01-01T00:00:00Z', 2)]
const aJob = { trainable_tokens: 10, training_start: '2026-02-10T00:00:00Z', created_at: '2026-04-01T00:00:00Z' }

test.each([
  ['at the newest price from before its start', aJob, 'base', 20],
  ['at the price when it was created, before it starts', { ...aJob, training_start: null }, 'base', 40],
  ['nothing without tokens', { ...aJob, trainable_tokens: 0 }, 'base', 0],
  ['what is unknown where its tokens are', { ...aJob, trainable_tokens: null }, 'base', undefined],
  ['what is unknown where all prices are newer', { ...aJob, training_start: '2025-12-31T23:59:59Z' }, 'base', undefined],
  ['what is unknown where its base model has no price', aJob, 'unpriced', undefined],
])('a job costs %s', (_, job, base, cost) => {
  expect(costOfJob(job, base, newestFirst)).toBe(cost)
})
