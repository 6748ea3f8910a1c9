import { randomUUID } from 'node:crypto'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTrainingApp, type TestClient, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'

/** The loop that a user writes, over a policy that is a table: an answer is a letter, and one of eight is right. */
const jobs = trials({ usual: 8, long: 20 })
const attempts = 4
const prompts = ['one', 'two', 'three']

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp()
})
afterAll(() => app.close())

async function rollOut(client: TestClient, model: string, seed: number) {
  return Promise.all(
    prompts.map(async (content, at) => {
      const messages = [{ role: 'user' as const, content }]
      const trajectories = await Promise.all(
        Array.from({ length: attempts }, async (_, attempt) => {
          const completion = await client.chatCompletions.create({ model, messages, max_tokens: 1, seed: (seed * 10 + at) * 10 + attempt })
          const choice = completion.choices[0]!
          return { messages_and_choices: [...messages, choice], reward: choice.message.content === 'a' ? 1 : 0 }
        }),
      )
      return { trajectories }
    }),
  )
}

const meanReward = (groups: { trajectories: { reward: number }[] }[]) => {
  const rewards = groups.flatMap(({ trajectories }) => trajectories.map(({ reward }) => reward))
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
}

test('a policy learns from the rewards of its own samples, over a restart of the server', async () => {
  const project = `loop-${randomUUID()}`
  let server = await app.anotherServer()
  const { id: model_id } = await server.client.models.create({ project, name: 'agent', base_model: 'table', return_existing: true })
  const name = `wandb-artifact:///local/${project}/agent`
  const rewards: number[] = []
  for (let round = 0; round < jobs; round++) {
    if (round === jobs / 2) {
      await server.close()
      server = await app.anotherServer()
      const again = await server.client.models.create({ project, name: 'agent', base_model: 'table', return_existing: true })
      expect(again.id).toBe(model_id)
    }
    const newest = await server.client.checkpoints.list({ model_id, limit: 1, order: 'desc' })
    expect(newest.data[0]!.step).toBe(round)
    const trajectory_groups = await rollOut(server.client, name, round)
    rewards.push(meanReward(trajectory_groups))
    const { id } = await server.client.trainingJobs.create({
      model_id,
      trajectory_groups: trajectory_groups as never,
      experimental_config: { seed: round },
    })
    expect(await untilEnded(server.client, id)).toMatchObject({ status: 'succeeded', step: round + 1 })
    const events = await allEvents(server.client, id)
    const steps = events[0]!.data['num_sequences'] as number
    expect(events.map(({ type }) => type)).toEqual(['training_started', ...Array<string>(steps).fill('gradient_step'), 'training_ended'])
  }
  rewards.push(meanReward(await rollOut(server.client, name, jobs)))
  expect(rewards[0]).toBeLessThan(0.5)
  expect(rewards.at(-1)).toBeGreaterThan(0.75)

  const steps = Array.from({ length: jobs - 2 }, (_, index) => index + 1)
  expect(await server.client.checkpoints.delete({ model_id, steps })).toEqual({
    deleted_count: steps.length,
    not_found_steps: [],
    kept_steps: [],
  })
  const ask = (model: string) =>
    server.client.chatCompletions.create({ model, messages: [{ role: 'user', content: 'one' }], max_tokens: 1 })
  expect((await ask(`${name}:step${jobs - 1}`)).choices).toHaveLength(1)
  await expect(ask(`${name}:step2`)).rejects.toMatchObject({ status: 404 })
  expect((await server.client.checkpoints.list({ model_id })).data.map(({ step }) => step)).toEqual([0, jobs - 1, jobs])
  await server.close()
})
