import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isChoice } from '@heddle/core-api/histories'
import { expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { createModelEndpoint } from '../testing/model-endpoint.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** The least of several collections within half a second: what has just ended is held until other tasks of the process have run. */
async function heapHeld(): Promise<number> {
  let least = Infinity
  for (let collection = 0; collection < 10; collection++) {
    await delay(50)
    least = Math.min(least, heapUsed())
  }
  return least
}

const turns = 3

/** Runs attempts at once, and returns what they hold once all have ended. They are dropped at its end. */
async function runAttempts(attempts: number) {
  const endpoint = createModelEndpoint(({ body }) => ({
    pieces: ['re: ', String(body.messages.at(-1)?.['content']), ' and more'.repeat(4)],
  }))
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, requestLogprobs: true })
  const { trajectories } = await agent.group({ attempts }).run(async (trajectory) => {
    const messages: object[] = []
    for (let turn = 0; turn < turns; turn++) {
      messages.push({ role: 'user', content: `question ${turn} of attempt ${trajectory.attemptIndex}` })
      const body = JSON.stringify({ model: 'm', messages })
      const response = await agent.fetch('http://models.invalid/v1/chat/completions', { method: 'POST', body })
      messages.push(((await response.json()) as { choices: { message: object }[] }).choices[0]!.message)
    }
    trajectory.reward(trajectory.attemptIndex)
  })
  endpoint.requests.length = 0
  const heap = await heapHeld()
  const said = trajectories.map(({ messages_and_choices: all, additional_histories: others }, attempt) => ({
    choices: all.filter(isChoice).length,
    ownQuestions: all.filter((element) => String(element['content']).endsWith(` of attempt ${attempt}`)).length,
    others: others.length,
  }))
  return { said, rewards: trajectories.map(({ reward }) => reward), json: JSON.stringify(trajectories).length, heap }
}

test('1,000 trajectories at once hold a few times their JSON, and nothing once they are dropped', { timeout: 120_000 }, async () => {
  await runAttempts(20)
  const before = await heapHeld()
  const { said, rewards, json, heap } = await runAttempts(1_000)
  expect(said).toEqual(Array.from({ length: 1_000 }, () => ({ choices: turns, ownQuestions: turns, others: 0 })))
  expect(rewards).toEqual(Array.from({ length: 1_000 }, (_, attempt) => attempt))
  expect((heap - before) / json).toBeLessThan(5)
  // A function that has returned may hold what it held until the next one runs.
  await expect.poll(() => (heapUsed() - before) / (heap - before)).toBeLessThan(0.3)
})
