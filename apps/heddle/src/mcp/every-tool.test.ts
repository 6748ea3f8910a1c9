import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent, connectOlder, type McpClient } from '../testing/mcp-clients.ts'
import type { SeededProject } from '../testing/mcp-questions.ts'
import { walkPages } from '../testing/mcp-walk.ts'
import { seedMcpProject } from '../testing/seed-mcp-project.ts'

const week = { since: '2026-11-10', until: '2026-11-17' }
const program = fileURLToPath(new URL('heddle-mcp.js', inject('builtChildren')))

let server: TestServer
let seeded: SeededProject
let jobId: string
let rowDigest: string
let callId: string
let queueId: string
let clients: [name: string, client: McpClient][]

beforeAll(async () => {
  server = await shareBuiltTestServer()
  seeded = await seedMcpProject(server)
  const { url: baseUrl, apiKey } = server
  const address = {
    url: `${baseUrl}/mcp`,
    headers: { authorization: `Bearer ${apiKey}`, 'x-heddle-toolsets': 'evals,traces,training,annotate' },
  }
  const command = {
    command: process.execPath,
    args: [program, '--toolsets', 'evals,traces,training,annotate', '--allow-writes', '--allow-destructive'],
    env: { HEDDLE_BASE_URL: baseUrl, HEDDLE_API_KEY: apiKey, HEDDLE_PROJECT: seeded.project },
  }
  const connectDeclining = async (to: typeof address | typeof command) => {
    const connected = await connectCurrent(to)
    connected.client.setRequestHandler('elicitation/create', () => ({ action: 'decline' as const }))
    return connected
  }
  // Each client and each transport once; the other two pairs only in runs of all tests.
  const current = await connectDeclining(address)
  clients = [
    ['the current client over HTTP', current],
    ['the 1.x client over stdio', await connectOlder(command)],
  ]
  if (inject('long')) {
    clients.push(['the 1.x client over HTTP', await connectOlder(address)])
    clients.push(['the current client over stdio', await connectDeclining(command)])
  }
  const { project } = seeded
  const traces = createClient({ baseUrl, apiKey, contract: tracing })
  const learner = createClient({ baseUrl, apiKey, contract: training })
  const [entity = '', name = ''] = project.split('/')
  const [base] = (await learner.baseModels.list({})).data
  for (const model of ['second', 'third']) await learner.models.create({ entity, project: name, name: model, base_model: base?.id ?? '' })
  queueId = (await traces.annotationQueues.create({ project_id: project, name: 'review', scorer_refs: [] })).id
  for (let at = 0; at < 3; at++) {
    const { structuredContent } = await current.call('training_job_create', {
      project,
      ...week,
      model_id: seeded.modelId,
      dry_run: false,
      idempotency_key: `job-${at}`,
    })
    jobId ??= structuredContent?.data.job_id
  }
  let ended: string | undefined
  while (ended !== 'finished')
    ended = (await current.call('training_job_wait', { job_id: jobId, max_seconds: 50 })).structuredContent?.data.ended_because
  const { structuredContent: rows } = await current.call('eval_results_query', { project, evaluation_call_ids: [seeded.after], limit: 1 })
  rowDigest = rows?.data.rows[0].row_digest
  callId = rows?.data.rows[0].trials[0].predict_and_score_call_id
}, 180_000)
afterAll(async () => {
  await Promise.all((clients ?? []).map(([, client]) => client.close()))
  await server?.close()
})

/** Arguments with which each tool has something to say. */
const argumentsOf = (): Record<string, Record<string, unknown>> => {
  const { project, before, after, modelId, traceIds } = seeded
  return {
    annotation_queue_add: { project, queue_id: queueId, call_ids: [callId] },
    eval_columns_describe: { project, evaluation_call_id: after },
    eval_compare: { project, baseline: before, candidates: [after] },
    eval_failures_group: { project, evaluation_call_id: after },
    eval_results_query: { project, evaluation_call_ids: [before, after], limit: 5 },
    eval_row_get: { project, evaluation_call_ids: [before, after], row_digest: rowDigest },
    eval_summary_get: { project, evaluation_call_ids: [before, after] },
    evals_list: { project },
    feedback_create: { project, call_id: callId, feedback_type: 'wandb.note.1', payload: { note: 'wrong tone' } },
    model_checkpoints_delete: { model_id: modelId, keep: [] },
    model_checkpoints_list: { model_id: modelId },
    model_delete: { model_id: modelId },
    models_list: { project },
    trace_get: { project, trace_id: traceIds[4] },
    trace_stats: { project, ...week, group_by: 'model' },
    traces_search: { project, ...week },
    training_job_cancel: { job_id: jobId },
    training_job_create: { project, ...week, model_id: modelId },
    training_job_events: { job_id: jobId },
    training_job_get: { job_id: jobId },
    training_job_wait: { job_id: jobId, max_seconds: 1 },
    training_jobs_list: { model_id: modelId, project },
    training_metrics_get: { job_id: jobId },
    trajectories_preview: { project, ...week },
  }
}
const writes = new Set(['annotation_queue_add', 'feedback_create', 'model_checkpoints_delete', 'model_delete'])
/** What time alone changes. */
const passing = new Set(['training_job_get', 'training_jobs_list', 'training_job_wait'])

test('every tool answers each client over each transport, alike and as its output schema says', async () => {
  const wanted = argumentsOf()
  const answers = new Map<string, unknown[]>()
  for (const [who, client] of clients) {
    // Clients check answers against the schemas of a listing.
    expect(
      (await client.list()).map(({ name }) => name),
      who,
    ).toEqual(Object.keys(wanted))
    for (const [name, args] of Object.entries(wanted)) {
      const { structuredContent, isError } = await client.call(name, args)
      const isRefused = (name === 'model_delete' || name === 'model_checkpoints_delete') && who.includes('1.x')
      expect([isError ?? false, structuredContent?.error?.code], `${name} for ${who}`).toEqual(
        isRefused ? [true, 'forbidden'] : [false, undefined],
      )
      if (!writes.has(name) && !passing.has(name)) answers.set(name, [...(answers.get(name) ?? []), withoutCursor(structuredContent)])
    }
  }
  for (const [name, [first, ...others]] of answers) for (const other of others) expect(other, name).toEqual(first)
}, 120_000)

test('feedback is given to a call or to a whole conversation, and to one of them', async () => {
  const { project } = seeded
  const give = async (subject: object) => {
    const note = { project, feedback_type: 'wandb.note.1', payload: { note: 'too long' } }
    const [[, client] = []] = clients
    return client?.call('feedback_create', { ...note, ...subject })
  }
  const thread_id = 'support/a b'
  const given = await give({ thread_id })
  const traces = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: given?.structuredContent?.data.id }] } }
  const { result } = await traces.feedback.query({ project_id: project, query } as Parameters<typeof traces.feedback.query>[0])
  expect(result).toMatchObject([{ weave_ref: `weave:///${project}/agent_conversation/support%2Fa%20b`, payload: { note: 'too long' } }])
  for (const [subject, problem] of [
    [{}, 'neither call_id nor thread_id was given'],
    [{ call_id: callId, thread_id }, 'both call_id and thread_id were given'],
  ] as const)
    expect((await give(subject))?.structuredContent?.error?.message).toContain(problem)
})

/** Servers seal their own cursors. */
function withoutCursor(answer: { page?: object } | undefined): unknown {
  return { ...answer, page: { ...answer?.page, next_cursor: undefined } }
}

test.each<[tool: string, key: string, idOf: (entry: Record<string, unknown>) => unknown, args: () => Record<string, unknown>]>([
  [
    'eval_compare',
    'rows',
    (row) => `${String(row['row_digest'])} ${String(row['score'])}`,
    () => ({ baseline: seeded.before, candidates: [seeded.after], limit: 7 }),
  ],
  ['eval_results_query', 'rows', ({ row_digest }) => row_digest, () => ({ evaluation_call_ids: [seeded.after], limit: 20 })],
  ['evals_list', 'evaluations', ({ evaluation_call_id }) => evaluation_call_id, () => ({ limit: 1 })],
  ['trace_get', 'entries', ({ call_id }) => call_id, () => ({ trace_id: seeded.traceIds[4], limit: 1 })],
  ['traces_search', 'traces', ({ trace_id }) => trace_id, () => ({ ...week, limit: 5 })],
  ['models_list', 'models', ({ id }) => id, () => ({ limit: 1 })],
  ['model_checkpoints_list', 'checkpoints', ({ step }) => step, () => ({ model_id: seeded.modelId, limit: 1 })],
  ['training_jobs_list', 'jobs', ({ id }) => id, () => ({ limit: 1 })],
  ['training_job_events', 'events', ({ id }) => id, () => ({ job_id: jobId, limit: 1 })],
  ['trajectories_preview', 'groups', ({ group_id }) => group_id, () => ({ ...week, limit: 1 })],
])('a walk along the cursors of %s gives each of its %s once, as one large page does', async (tool, key, idOf, args) => {
  const project = ['model_checkpoints_list', 'training_job_events'].includes(tool) ? {} : { project: seeded.project }
  // Cursors depend neither on the client nor on the transport.
  for (const [who, client] of clients.slice(0, inject('long') ? 2 : 1)) {
    const walk = await walkPages(client, tool, { ...project, ...args() }, key)
    const whole = await walkPages(client, tool, { ...project, ...args(), limit: 100, max_tokens: 20_000 }, key)
    expect(walk.pages, who).toBeGreaterThan(1)
    expect(walk.entries.map(idOf)).toEqual(whole.entries.map(idOf))
    expect(new Set(walk.entries.map(idOf)).size).toBe(walk.entries.length)
    if (walk.total !== undefined) expect(walk.entries.length).toBe(walk.total)
  }
})
