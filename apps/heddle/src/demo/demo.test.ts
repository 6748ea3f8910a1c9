import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { TracingClient, TrainingClient } from '../connect.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { createBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere, startCommand } from '../testing/run-command.ts'
import type { describeResult } from './describe-result.ts'

vi.setConfig({ testTimeout: 480_000, hookTimeout: 480_000 })

type Result = ReturnType<typeof describeResult>

/** Questions of a round; the demo itself has eight. */
const tasks = trials({ usual: 4, long: 8 })

let server: TestServer
let project: string
let place: { entity: string; project: string }
let client: TracingClient
let trainer: TrainingClient
let result: Result

async function runDemo(...flags: string[]): Promise<Result> {
  const args = ['demo', '--url', server.url, '--project', project, '--json', ...flags]
  const { code, out, note } = await runCommandHere(args, { HEDDLE_API_KEY: server.apiKey })
  expect([code, note]).toEqual([0, expect.stringContaining('round   1')])
  return JSON.parse(out) as Result
}

beforeAll(async () => {
  server = await createBuiltTestServer()
  project = server.newProject()
  const [entity = '', name = ''] = project.split('/')
  place = { entity, project: name }
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  trainer = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: training })
  result = await runDemo('--rounds', '2', '--tasks', String(tasks))
})
afterAll(() => server.close())

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The question of each group that was practised, with the rewards of its attempts. */
async function rewardsOfTasks(model_id: string) {
  const { data } = await trainer.trajectories.list({ model_id, split: 'train', limit: 100 })
  return data.map(({ trajectories }) => ({
    question: trajectories[0]?.messages[0]?.content,
    rewards: trajectories.map(({ reward }) => reward),
  }))
}
const modelId = async (name: string) => (await trainer.models.list({ ...place, name })).data[0]!.id

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the demo', () => {
  test('improves the agent on questions that it did not practise on: the paired interval of the difference is above 0', () => {
    const reward = result.comparison.measures.find(({ name }) => name === 'answer.reward')!
    const correct = result.comparison.measures.find(({ name }) => name === 'answer.correct')!
    for (const { difference, paired_rows } of [reward, correct]) {
      expect(paired_rows).toBe(44)
      expect(difference.value).toBeGreaterThan(0.2)
      expect(difference.interval!.low).toBeGreaterThan(0)
    }
    expect(result.rounds.map(({ step }) => step)).toEqual([1, 2])
    expect(result.rounds.at(-1)!.reward).toBeGreaterThan(result.rounds[0]!.reward + 0.2)
  })

  test('says what the stored scores say', async () => {
    for (const [run, side] of [
      [result.before, 'a'],
      [result.after, 'b'],
    ] as const) {
      const scores = await all(client.scores.list({ ...place, evaluation_run_id: run.evaluation_run_id }))
      const rewards = scores.map(({ value }) => (value as { reward: number }).reward)
      expect(mean(rewards)).toBeCloseTo(mean(run.questions.map(({ reward }) => reward)), 9)
      const reward = result.comparison.measures.find(({ name }) => name === 'answer.reward')!
      expect(reward[side].value).toBeCloseTo(mean(rewards), 9)
      const read = await client.evaluationRuns.read({ ...place, evaluation_run_id: run.evaluation_run_id })
      expect(read).toMatchObject({ status: 'completed', model: expect.stringContaining(`step${run.step}`) })
    }
  })

  test('practises and is evaluated on different cities, and a wrong answer has no reward', () => {
    for (const { answer, asked_the_tool, correct, reward } of [...result.before.questions, ...result.after.questions]) {
      expect(reward).toBe((Number(asked_the_tool) + Number(correct)) / 2)
      if (answer === '') expect(correct).toBe(false)
    }
    expect(result.before.questions.some(({ correct }) => !correct)).toBe(true)
  })

  test('leads from a trajectory to its trace, where the tool ran beside the two model calls, and back', async () => {
    const { data } = await trainer.trajectories.list({ model_id: result.model.id, split: 'train', limit: 100 })
    expect(data).toHaveLength(2 * tasks)
    expect(data.every(({ trajectories }) => trajectories.length === 8)).toBe(true)
    const attempt = data.flatMap(({ trajectories }) => trajectories).find(({ reward }) => reward === 1)!
    const { trace_id, root_span_id, trajectory_id } = attempt.metadata as Record<string, string>
    const calls = await all(client.calls.streamQuery({ project_id: project, filter: { trace_ids: [trace_id!] } }))
    // The busy server may have refused a model call, which was then made again.
    const answered = calls.filter(({ exception }) => !exception)
    const names = answered.map(({ op_name }) => /op\/([a-z]+)/.exec(op_name)?.[1] ?? op_name)
    expect(names.toSorted()).toEqual(['chat', 'chat', 'execute', 'trajectory'])
    expect(calls.find(({ parent_id }) => !parent_id)).toMatchObject({
      id: root_span_id,
      display_name: 'weather_agent',
      attributes: { operation_name: 'invoke_agent', agent_name: 'weather_agent' },
      thread_id: expect.stringContaining('round'),
    })
    expect(attempt.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const found = await trainer.trajectories.list({ model_id: result.model.id, trace_id: trace_id! })
    expect(found.data.flatMap(({ trajectories }) => trajectories).map(({ metadata }) => metadata['trajectory_id'])).toContain(trajectory_id)
  })

  test('gives evaluations the time, the tokens and the cost of the attempts that were traced', async () => {
    for (const { evaluation_run_id, questions } of [result.before, result.after]) {
      const of = { ...place, evaluation_call_ids: [evaluation_run_id], include_summary: true, include_costs: true }
      const { rows, summary } = await client.evalResults.query({ ...of, usage: 'counted' })
      const trials = rows.flatMap(({ evaluations }) => evaluations.flatMap((one) => one.trials))
      expect(trials).toHaveLength(44)
      for (const { model_latency_seconds, total_cost } of trials) {
        expect(model_latency_seconds).toBeGreaterThan(0)
        expect(total_cost).toBeGreaterThan(0)
      }
      const trace_ids = questions.flatMap(({ trace_id }) => trace_id ?? [])
      const { traces } = await client.calls.traceTotals({ project_id: project, start: null, trace_ids })
      const [counted] = summary!.evaluations
      expect(counted!.predict_total_tokens).toBe(traces.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0))
      expect(counted!.predict_total_cost).toBeCloseTo(
        traces.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
        9,
      )
      const { call } = await client.calls.read({ project_id: project, id: evaluation_run_id })
      const seconds = trials.map((trial) => Number(trial.model_latency_seconds))
      expect((call!.output as { model_latency: { mean: number } }).model_latency.mean).toBeCloseTo(mean(seconds), 6)
    }
  })

  test('leaves something on every page', async () => {
    const threads = await all(client.threads.streamQuery({ project_id: project }))
    expect(threads[0]).toMatchObject({ turn_count: 8 })
    const datasets = await all(client.datasets.list(place))
    expect(datasets).toHaveLength(1)
    const { items } = await client.annotationQueues.queryItems({ project_id: project, queue_id: result.annotation_queue_id })
    expect(items).toHaveLength(12)
    const { call } = await client.calls.read({ project_id: project, id: items[0]!.call_id })
    expect(items[0]!.display_fields).toEqual(['inputs.inputs.question', 'output.answer'])
    expect(call).toMatchObject({ inputs: { inputs: { question: expect.any(String) } }, output: { answer: expect.any(String) } })
    const { result: feedback } = await client.feedback.query({ project_id: project })
    expect(new Set(feedback.map(({ feedback_type }) => feedback_type))).toEqual(
      new Set(['wandb.note.1', 'wandb.reaction.1', 'wandb.runnable.answer']),
    )
    const { objs } = await client.objects.query({ project_id: project, filter: { base_object_classes: ['Dashboard'] } })
    expect(objs.map(({ object_id }) => object_id)).toEqual([result.dashboard_id])
    const { trace_id } = result.after.questions[0]!
    const calls = await all(client.calls.streamQuery({ project_id: project, filter: { trace_ids: [trace_id!] }, include_costs: true }))
    expect(JSON.stringify(calls)).toContain('completion_tokens_total_cost')
    expect(server.errors).toEqual([])
  })

  test.each(inject('long') ? ['the same seed'] : [])(
    'run again with %s, gives the same rewards to a model of a new name, and says where to look',
    async () => {
      const args = ['demo', '--url', server.url, '--project', project, '--rounds', '2', '--tasks', String(tasks)]
      const { code, out, note } = await runCommandHere(args, { HEDDLE_API_KEY: server.apiKey })
      expect(code).toBe(0)
      expect(note).toContain(`${project}/weather-agent-2`)
      const [first, second] = [await rewardsOfTasks(result.model.id), await rewardsOfTasks(await modelId('weather-agent-2'))]
      // The second round samples from the weights that the first one left.
      expect(second).toEqual(first)
      const drawn = [...note.matchAll(/round +\d+ .* reward ([\d.]+)/g)].map(([, reward]) => reward)
      expect(drawn).toEqual(result.rounds.map(({ reward }) => reward.toFixed(2)))
      const correct = result.before.questions.filter((question) => question.correct).length
      expect(note).toContain(`Step 0 answers ${correct} of 44 questions`)
      const [, before = '', after = ''] = /eval compare (\S+) (\S+)/.exec(out) ?? []
      for (const id of [before, after]) {
        expect(out).toContain(`${server.url}/${project}/evaluations/runs/${id}`)
        expect(await client.evaluationRuns.read({ ...place, evaluation_run_id: id })).toMatchObject({ status: 'completed' })
      }
      const [, traceId = ''] = /traces show (\S+)/.exec(out) ?? []
      const calls = await all(client.calls.streamQuery({ project_id: project, filter: { trace_ids: [traceId] } }))
      expect(calls.filter(({ id }) => out.includes(`/calls/${id}`))).toHaveLength(1)
      expect(out).toMatch(/answer\.reward +44 /)
    },
  )

  test.each([
    [['--tasks', '0'], '--tasks must be an integer from 1 to 64, got "0"'],
    [['--rounds', 'many'], '--rounds must be an integer from 1 to 999, got "many"'],
    [['--seed', '-1'], '--seed must be an integer from 0 to 999999, got "-1"'],
    [['--url', 'ftp://x'], '--url must start with http:// or https://'],
    [['--project', 'nowhere'], '--project must be entity/project, got "nowhere"'],
  ])('refuses %j', async (flags, message) => {
    const { code, note } = await runCommandHere(['demo', ...flags], { HEDDLE_API_KEY: server.apiKey })
    expect([code, note]).toEqual([2, expect.stringContaining(message)])
  })
})

test('without a server it starts one, and Ctrl-C ends both: nothing is left running, and the code says that it was stopped', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-demo-'))
  try {
    const command = startCommand(['demo', '--rounds', '50', '--tasks', '1'], { HEDDLE_DATA_DIR: dataDir, HEDDLE_PORT: '0' })
    const reached = inject('long') ? 'round   1' : 'from seed'
    while (!command.note().includes(reached)) await once(command.child.stderr!, 'data')
    command.child.kill('SIGINT')
    expect(await command.ended).toBe(130)
    expect(command.note()).toContain('Stopped. What was recorded stays')
    expect(command.note()).not.toContain('heddle:')
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
})
