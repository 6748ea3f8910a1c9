import { JsonNumber } from '@heddle/json'
import { readUsage } from '@heddle/trace-model'
import { expect, test } from 'vitest'
import { addUsage, type UsageByModel, usageOfAnswer } from './usage.ts'

const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: new JsonNumber('150.0') as unknown as number,
  prompt_tokens_details: { cached_tokens: 40, audio_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 20, accepted: null },
  cost: 0.25,
  note: 'text',
}

test('the usage of a response keeps its details and the tier of service that answered', () => {
  const ofAnswer = usageOfAnswer('m', { usage, service_tier: 'flex' })
  expect(ofAnswer).toEqual({
    m: {
      requests: 1,
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 20 },
      cost: 0.25,
      service_tier: 'flex',
    },
  })
  expect(readUsage({ usage: ofAnswer })).toMatchObject([
    { serviceTier: 'flex', requestTokens: 100, counts: { cacheRead: 40, inputAudio: 5, reasoning: 20, reportedCosts: 1 } },
  ])
})

test('usages add up with their details, and have a tier of service where it is the same', () => {
  const total: UsageByModel = {}
  addUsage(total, usageOfAnswer('m', { usage, service_tier: 'flex' }))
  addUsage(total, usageOfAnswer('m', { usage, service_tier: 'flex' }))
  expect(total['m']).toMatchObject({
    requests: 2,
    prompt_tokens: 200,
    prompt_tokens_details: { cached_tokens: 80, audio_tokens: 10 },
    cost: 0.5,
    service_tier: 'flex',
  })
  addUsage(total, usageOfAnswer('m', { usage: { prompt_tokens: 1 } }))
  addUsage(total, usageOfAnswer('m', { usage: { prompt_tokens: 1 }, service_tier: 'flex' }))
  expect(total['m']).toMatchObject({ requests: 4, prompt_tokens: 202 })
  expect(total['m']).not.toHaveProperty('service_tier')
})

test('anything that is not a count is left out, however a response nests it', () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":1},"a":{"b":{"c":{"d":1}}},"list":[1],"prompt_tokens":1}') as typeof usage
  expect(usageOfAnswer('m', { usage: hostile, service_tier: 'x'.repeat(500) })).toEqual({ m: { requests: 1, prompt_tokens: 1 } })
  expect({}).not.toHaveProperty('polluted')
  expect(usageOfAnswer('m', { usage: null })).toEqual({})
})
