import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { TestServer } from '../test-server/create-test-server.ts'
import type { SeededProject } from './mcp-questions.ts'
import { recordEvaluation } from './record-evaluation.ts'
import { recordTraces } from './record-traces.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 10, 12)

/** Two evaluation runs, twelve traces of two days, three attempts at two tasks, and a model whose logged rewards do not differ. */
export async function seedMcpProject({ url: baseUrl, apiKey, newProject }: TestServer): Promise<SeededProject> {
  const client = createClient({ baseUrl, apiKey, contract: tracing })
  const learner = createClient({ baseUrl, apiKey, contract: training })
  const id = newProject()
  const [entity = '', project = ''] = id.split('/')
  const price = { prompt_token_cost: 0.001, completion_token_cost: 0.002, effective_date: '2026-01-01T00:00:00Z' }
  await client.costs.create({ project_id: id, costs: { large: price } })
  const trials = (passes: (row: number) => boolean, shift: number) =>
    Array.from({ length: 30 }, (_, row) => ({
      example: { question: `Question ${row}`, topic: row % 3 === 0 ? 'refunds' : `other ${row}` },
      output: passes(row) ? `answer ${row}` : `wrong ${row}`,
      scores: { exact: { match: passes(row) }, length: row / 10 + shift },
    }))
  const runs = { project: id, model: 'small' }
  const before = await recordEvaluation(client, { ...runs, name: 'before', trials: trials((row) => row !== 7, 0) })
  const after = await recordEvaluation(client, {
    ...runs,
    name: 'after',
    trials: trials((row) => row % 3 !== 0, 1),
    startedAtMs: Date.UTC(2026, 0, 3),
  })
  const traceIds = await recordTraces(
    client,
    id,
    Array.from({ length: 12 }, (_, at) => ({
      question: `Question ${at}`,
      answer: `Answer ${at}`,
      model: at % 3 === 0 ? 'large' : 'small.v1',
      startedAtMs: start + Math.floor(at / 6) * day + at * 1_000,
      latencyMs: 100 + at * 10,
      tokens: 100 + at,
      ...(at === 5 && { exception: 'Traceback:\nTimeoutError: no answer after 30 s' }),
      ...(at < 2 && { threadId: 'thread-1' }),
      ...(at < 3 && { attributes: attemptOf(at) }),
    })),
  )
  const [base] = (await learner.baseModels.list({})).data
  const model = await learner.models.create({ entity, project, name: 'agent', base_model: base?.id ?? '' })
  const trajectories = [{ reward: 1 }, { reward: 1 }].map((one) => ({ ...one, messages_and_choices: [{ role: 'user', content: 'hi' }] }))
  await learner.trajectories.log({ model_id: model.id, split: 'train', trajectory_groups: [{ trajectories }] } as Parameters<
    typeof learner.trajectories.log
  >[0])
  return { project: id, before, after, traceIds, modelId: model.id }
}

/** Two attempts at one task with different rewards, and one at another. */
function attemptOf(at: number): Record<string, unknown> {
  const group_id = at < 2 ? 'refund-task' : 'other-task'
  return { heddle: { group_id, trajectory_id: `attempt-${at}`, reward: { value: at % 2 } } }
}
