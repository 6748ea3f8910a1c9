import { createAgentTracing } from '@heddle/agent-instrumentation'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from './test-server/create-test-server.ts'
import { createBuiltTestServer } from './testing/built-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createBuiltTestServer()
})
afterAll(() => server.close())

test('an agent chats, is rewarded and trained, and its next completion comes from the new weights', { timeout: 120_000 }, async () => {
  const { url: baseUrl, apiKey } = server
  const project = server.newProject()
  const agent = createAgentTracing({ baseUrl, apiKey, project, model: { name: 'adder', baseModel: 'heddle-nano' }, environment: {} })
  const openai = agent.wrapOpenAI(new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey }))
  const model = `heddle-artifact:///${project}/adder`
  const question = { model, messages: [{ role: 'user' as const, content: '3 + 4 =' }], max_tokens: 6 }
  const stepNow = async () => (await openai.chat.completions.create(question).withResponse()).response.headers.get('x-model-step')
  const modelId = await agent.modelId()
  expect(await stepNow()).toBe('0')

  const group = await agent.group({ attempts: 4 }).run(async (trajectory) => {
    await openai.chat.completions.create(question)
    trajectory.reward(trajectory.attemptIndex % 2)
  })
  expect(agent.dryRun([group])).toMatchObject({ trainableGroups: 1, logprobs: { complete: 4 } })
  const job = await agent.train([group])
  const types: string[] = []
  for await (const { type } of job.events()) types.push(type)
  expect(types).toEqual(['training_started', 'gradient_step', 'training_ended'])
  expect(await stepNow()).toBe('1')
  const metrics = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${apiKey}` } }).then((response) => response.text())
  const valueOf = (sample: string) =>
    Number(
      metrics
        .split('\n')
        .find((line) => line.startsWith(`${sample} `))
        ?.slice(sample.length),
    )
  expect(valueOf('heddle_training_gradient_steps_total{kind="rl"}')).toBe(1)
  expect(valueOf('heddle_training_trajectories_total{kind="rl"}')).toBe(4)
  expect(valueOf('heddle_training_tokens_total{kind="rl"}')).toBeGreaterThan(0)
  expect(valueOf('heddle_training_reward')).toBe(0.5)

  await agent.log('train', [group])
  const client = createClient({ baseUrl, apiKey, contract: training })
  const trajectoryId = String(group.trajectories[0]?.metadata['trajectory_id'])
  const { data } = await client.trajectories.list({ model_id: modelId, trajectory_id: trajectoryId })
  expect(data).toMatchObject([{ split: 'train', step: 1 }])
  expect(data[0]?.trajectories).toHaveLength(4)
  // So large that the built server reads it in a thread.
  const large = 'x'.repeat(300 * 2 ** 10)
  await client.trajectories.log({ model_id: modelId, split: 'val', trajectory_groups: [{ trajectories: [{ logs: [large] }] }] })
  const { data: logged } = await client.trajectories.list({ model_id: modelId, split: 'val' })
  expect(logged[0]?.trajectories[0]?.logs).toEqual([large])
  expect(server.errors).toEqual([])
})

test('the server evaluates its own models, by their addresses, without another provider', { timeout: 120_000 }, async () => {
  const { url: baseUrl, apiKey } = server
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  const trainer = createClient({ baseUrl, apiKey, contract: training })
  await trainer.models.create({ entity, project, name: 'agent', base_model: 'heddle-nano' })
  const client = createClient({ baseUrl, apiKey, contract: tracing })
  const model = {
    _type: 'LLMStructuredCompletionModel',
    _class_name: 'LLMStructuredCompletionModel',
    _bases: ['Object', 'BaseModel'],
    name: 'agent',
    llm_model_id: `heddle-artifact:///${project_id}/agent`,
    default_params: { response_format: 'text', max_tokens: 4 },
  }
  const { digest } = await client.objects.create({ obj: { project_id, object_id: 'agent', val: model } })
  const dataset = await client.datasets.create({ entity, project, name: 'questions', rows: [{ user_input: '3 + 4 =' }] })
  const ref = `weave:///${project_id}/object/${dataset.object_id}:${dataset.digest}`
  const { evaluation_ref } = await client.evaluations.create({ entity, project, name: 'sums', dataset: ref, scorers: [] })
  const model_ref = `weave:///${project_id}/object/agent:${digest}`
  const { call_id } = await client.evaluations.evaluateModel({ project_id, evaluation_ref, model_ref })
  const statusOf = async () => (await client.evaluations.status({ project_id, call_id })).status.code
  await expect.poll(statusOf).toBe('complete')
  const { calls } = await client.calls.query({ project_id })
  const predicted = calls.find(({ op_name }) => op_name.includes('.predict:'))
  expect(predicted).toMatchObject({ exception: null, output: expect.any(String) })
})
