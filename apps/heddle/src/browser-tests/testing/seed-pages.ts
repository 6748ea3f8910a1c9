import { randomUUID } from 'node:crypto'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { recordEvaluation } from '../../testing/record-evaluation.ts'
import { seedMcpProject } from '../../testing/seed-mcp-project.ts'
import type { TestServer } from '../../test-server/create-test-server.ts'
import type { TracingClient } from '../../connect.ts'
import { aChart, dashboardValue } from './dashboard-value.ts'
import { hostileTexts } from './hostile-texts.ts'
import { type SeededTraining, seedTraining } from './seed-training.ts'

/** Projects that pages are tested with, and what is in them. */
export interface SeededPages {
  ordinary: OrdinaryProject
  huge: { project: string; traceId: string; rootCallId: string; calls: number; dataset: string; datasetRows: number }
  broken: { project: string; traceId: string; rootCallId: string; failedCallId: string; linkToken: string }
  hostile: HostileProject
  /** Was never written to. */
  empty: { project: string }
}

interface HostileProject {
  project: string
  traceId: string
  rootCallId: string
  otherRootCallId: string
  threadId: string
  /** Has feedback on it, and an exception. */
  failedCallId: string
  /** Token of a public link to the trace. */
  linkToken: string
  queueId: string
  itemId: string
  dataset: string
  /** Two evaluation runs. */
  runs: readonly [string, string]
  modelId: string
}

interface OrdinaryProject extends SeededTraining {
  project: string
  before: string
  after: string
  traceIds: readonly string[]
  /** Root calls of the traces, in their order. */
  rootCallIds: readonly string[]
  modelId: string
  queueId: string
  /** The first item of the queue. */
  itemId: string
  dataset: string
  dashboard: string
  prompt: string
  /** A conversation of today. */
  threadId: string
  /** Its turns, in their order. */
  turnIds: readonly string[]
  /** Digests of the first version of each. */
  firstVersions: { dataset: string; prompt: string }
}

const startedAtMs = Date.UTC(2026, 10, 10, 12)
const hugeCalls = 3_000
const hugeRows = 5_000
const usageByModel = { measure: 'tokens', level: 'roots', by: 'model', form: 'line' }

/** Fills the projects that pages show: ordinary, huge, broken and hostile data. Takes some seconds. */
export async function seedPages(server: TestServer): Promise<SeededPages> {
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing, timeoutMs: 120_000 })
  const [huge, broken, hostile] = [server.newProject(), server.newProject(), server.newProject()]
  return {
    ordinary: await seedOrdinary(server, client),
    huge: await seedHuge(client, huge),
    broken: await seedBroken(client, broken),
    hostile: await seedHostile(server, client, hostile),
    empty: { project: server.newProject() },
  }
}

async function seedOrdinary(server: TestServer, client: TracingClient): Promise<OrdinaryProject> {
  const { project, before, after, traceIds, modelId } = await seedMcpProject(server)
  const roots = await rootsOf(client, project, traceIds)
  const rootCallIds = traceIds.map((trace) => roots.get(trace) ?? '')
  const dataset = await publishDataset(client, project, 'questions', [
    rowsOf(12),
    [...rowsOf(11), { question: 'How do I pay?', expected: 'By card', weight: 2 }],
  ])
  const [entity = '', name = ''] = project.split('/')
  for (const source_code of ['def look_up(query):\n    return []\n', 'def look_up(query):\n    return search(query)\n'])
    await client.ops.create({ entity, project: name, name: 'look_up', source_code })
  const prompt = 'greeting'
  const prompts: string[] = []
  for (const content of ['You are helpful.', 'You are helpful and brief.\nAnswer in one sentence.'])
    prompts.push(
      await publish(client, project, prompt, {
        _type: 'MessagesPrompt',
        _class_name: 'MessagesPrompt',
        _bases: ['Prompt', 'Object', 'BaseModel'],
        messages: [{ role: 'system', content }],
      }),
    )
  const dashboard = 'dashboard-overview'
  const charts = [aChart('All calls', { form: 'number' }), aChart('Calls by op', { by: 'op' }), aChart('Tokens by model', usageByModel)]
  await publish(client, project, dashboard, dashboardValue({ name: 'Overview', charts }))
  const queueId = await createQueue(client, project, 'Review of answers', rootCallIds)
  const rollout = { trace_id: traceIds[0] ?? '', root_span_id: rootCallIds[0] ?? '' }
  return {
    ...(await seedTraining(server, project, rollout)),
    project,
    before,
    after,
    traceIds,
    rootCallIds,
    modelId,
    queueId,
    itemId: await itemOf(client, project, queueId, rootCallIds[0] ?? ''),
    dataset,
    dashboard,
    prompt,
    firstVersions: { dataset: await firstDigestOf(client, project, dataset), prompt: prompts[0]?.split(':').at(-1) ?? '' },
    ...(await seedConversation(client, project)),
  }
}

/** A conversation of three turns an hour ago, with feedback on the second. The first turn uses a model with a price, the others one without. */
async function seedConversation(client: TracingClient, project: string): Promise<Pick<OrdinaryProject, 'threadId' | 'turnIds'>> {
  const threadId = 'conversation-1'
  const turnIds = ['Where is my parcel?', 'When does it arrive?', 'Thank you!'].map(() => randomUUID())
  const said = [
    ['Where is my parcel?', 'It left Hamburg this morning.'],
    ['When does it arrive?', 'Tomorrow before noon.'],
    ['Thank you!', 'You are welcome.'],
  ]
  const [entity = '', name = ''] = project.split('/')
  const at = (turn: number, ms: number) => new Date(Date.now() - 3_600_000 + turn * 60_000 + ms).toISOString()
  const batch = said.map(([question, answer], turn) => ({
    project_id: project,
    id: turnIds[turn] ?? '',
    trace_id: randomUUID(),
    thread_id: threadId,
    turn_id: turnIds[turn] ?? '',
    op_name: 'chat_turn',
    started_at: at(turn, 0),
    ended_at: at(turn, 800 + turn * 100),
    attributes: {},
    inputs: { messages: said.slice(0, turn + 1).map(([content]) => ({ role: 'user', content })), question },
    output: { role: 'assistant', content: answer },
    summary: { usage: { [turn === 0 ? 'large' : 'small.v1']: { prompt_tokens: 40 + turn * 20, completion_tokens: 10, requests: 1 } } },
  }))
  await client.calls.complete({ entity, project: name, batch })
  const feedback = { project_id: project, weave_ref: `weave:///${project}/call/${turnIds[1]}` }
  await client.feedback.create({ ...feedback, feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } })
  await client.feedback.create({ ...feedback, feedback_type: 'wandb.note.1', payload: { note: 'Polite, and right.' } })
  return { threadId, turnIds }
}

async function firstDigestOf(client: TracingClient, project_id: string, object_id: string): Promise<string> {
  const { objs } = await client.objects.query({ project_id, filter: { object_ids: [object_id], latest_only: false } })
  return objs.find(({ version_index }) => version_index === 0)?.digest ?? ''
}

async function rootsOf(client: TracingClient, project_id: string, trace_ids: readonly string[]): Promise<Map<string, string>> {
  const roots = new Map<string, string>()
  for await (const call of client.calls.streamQuery({ project_id, filter: { trace_ids: [...trace_ids], trace_roots_only: true } }))
    roots.set(call.trace_id, call.id)
  return roots
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ question: `Question ${at}`, expected: `answer ${at}`, weight: at / 2 }))

async function publishDataset(
  client: TracingClient,
  id: string,
  name: string,
  versions: readonly Record<string, unknown>[][],
): Promise<string> {
  const [entity = '', project = ''] = id.split('/')
  let created = name
  for (const rows of versions)
    created = (await client.datasets.create({ entity, project, name, description: 'Rows for tests', rows })).object_id
  return created
}

async function publish(
  client: TracingClient,
  project_id: string,
  object_id: string,
  val: unknown,
  builtin_object_class?: string,
): Promise<string> {
  const obj = { project_id, object_id, val, ...(builtin_object_class && { builtin_object_class }) }
  const { digest } = await client.objects.create({ obj } as Parameters<TracingClient['objects']['create']>[0])
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

/** A queue with a field of each kind. */
async function createQueue(client: TracingClient, project_id: string, name: string, call_ids: readonly string[]): Promise<string> {
  const fields = {
    correct: { type: 'boolean' },
    tone: { type: 'string', enum: ['friendly', 'neutral', 'rude'] },
    quality: { type: 'number', minimum: 0, maximum: 10 },
    comment: { type: 'string', maxLength: 200 },
  }
  const scorer_refs: string[] = []
  for (const [field, field_schema] of Object.entries(fields))
    scorer_refs.push(
      await publish(client, project_id, field, { name: field, description: `Whether it is ${field}`, field_schema }, 'AnnotationSpec'),
    )
  const { id } = await client.annotationQueues.create({ project_id, name, description: 'Read the **answer** and judge it.', scorer_refs })
  await client.annotationQueues.addCalls({ project_id, queue_id: id, call_ids: [...call_ids], display_fields: ['inputs', 'output'] })
  return id
}

async function itemOf(client: TracingClient, project_id: string, queue_id: string, call_id: string): Promise<string> {
  const { items } = await client.annotationQueues.queryItems({ project_id, queue_id, filter: { call_id } })
  return items[0]?.id ?? ''
}

interface SeededCall {
  id: string
  parent_id?: string | null
  op?: string
  atMs?: number
  lastsMs?: number
  fields?: Record<string, unknown>
}

/** Records calls of one trace, 1,000 a request. Those whose `lastsMs` is -1 never end. */
async function recordTrace(client: TracingClient, id: string, trace_id: string, calls: readonly SeededCall[]): Promise<void> {
  const [entity = '', project = ''] = id.split('/')
  const toCall = ({ id: callId, parent_id = null, op = 'step', atMs = 0, lastsMs = 10, fields = {} }: SeededCall) => ({
    project_id: id,
    id: callId,
    trace_id,
    parent_id,
    op_name: op,
    started_at: new Date(startedAtMs + atMs).toISOString(),
    ended_at: new Date(startedAtMs + atMs + lastsMs).toISOString(),
    attributes: {},
    inputs: {},
    output: null,
    summary: {},
    ...fields,
  })
  const ended = calls.filter(({ lastsMs }) => lastsMs !== -1).map(toCall)
  for (let at = 0; at < ended.length; at += 1_000) await client.calls.complete({ entity, project, batch: ended.slice(at, at + 1_000) })
  for (const call of calls.filter(({ lastsMs }) => lastsMs === -1)) {
    const { ended_at: _, output: __, summary: ___, ...start } = toCall(call)
    await client.calls.start({ start })
  }
}

/** One trace of thousands of calls with a large output, and a dataset of thousands of rows. */
async function seedHuge(client: TracingClient, project: string): Promise<SeededPages['huge']> {
  const [rootCallId, traceId] = [randomUUID(), randomUUID()]
  const ids = [rootCallId]
  const calls: SeededCall[] = [{ id: rootCallId, op: 'crawl', lastsMs: hugeCalls * 2, fields: { output: 'long text '.repeat(100_000) } }]
  for (let at = 1; at < hugeCalls; at++) {
    const id = randomUUID()
    calls.push({ id, parent_id: ids[Math.floor((at - 1) / 8)] ?? rootCallId, op: `fetch_page_${at % 7}`, atMs: at, lastsMs: 5 })
    ids.push(id)
  }
  await recordTrace(client, project, traceId, calls)
  const dataset = await publishDataset(client, project, 'many rows', [rowsOf(hugeRows)])
  return { project, traceId, rootCallId, calls: hugeCalls, dataset, datasetRows: hugeRows }
}

/** A trace with a parent that is missing, a cycle, a child outside its parent's time, an exception and a call that never ends. */
async function seedBroken(client: TracingClient, project: string): Promise<SeededPages['broken']> {
  const [rootCallId, traceId, one, other, failedCallId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await recordTrace(client, project, traceId, [
    { id: rootCallId, op: 'root', lastsMs: 100 },
    { id: randomUUID(), parent_id: randomUUID(), op: 'orphan' },
    { id: one, parent_id: other, op: 'cycle_one' },
    { id: other, parent_id: one, op: 'cycle_other' },
    { id: randomUUID(), parent_id: rootCallId, op: 'before_its_parent', atMs: -5_000 },
    { id: failedCallId, parent_id: rootCallId, op: 'fails', fields: { exception: 'ValueError: no such page\n  at line 3' } },
    { id: randomUUID(), parent_id: rootCallId, op: 'never_ends', lastsMs: -1 },
    { id: randomUUID(), op: 'second_root', atMs: 50 },
  ])
  return { project, traceId, rootCallId, failedCallId, linkToken: await shareTrace(client, project, traceId) }
}

/** The token of a new public link. */
async function shareTrace(client: TracingClient, project_id: string, trace_id: string): Promise<string> {
  return (await client.sharedTraces.create({ project_id, trace_id })).token
}

/** Hostile texts in every field that a client can write. */
async function seedHostile(server: TestServer, client: TracingClient, project: string): Promise<HostileProject> {
  const [rootCallId, traceId, otherRootCallId] = [randomUUID(), randomUUID(), randomUUID()]
  const threadId = hostileTexts[1] ?? ''
  const calls = hostileTexts.map((text, at): SeededCall => ({
    id: at === 0 ? rootCallId : randomUUID(),
    parent_id: at === 0 ? null : rootCallId,
    op: `op ${text}`.slice(0, 120),
    lastsMs: 50,
    fields: {
      display_name: text.slice(0, 1_000),
      inputs: { [text.slice(0, 100)]: text, messages: [{ role: 'user', content: text }] },
      output: { text, choices: [{ index: 0, message: { role: 'assistant', content: text } }] },
      attributes: { note: text },
      ...(at === 0 && { thread_id: threadId, turn_id: rootCallId }),
      ...(at % 5 === 1 && { exception: text }),
    },
  }))
  await recordTrace(client, project, traceId, calls)
  await recordTrace(client, project, randomUUID(), [{ id: otherRootCallId, op: 'other', fields: { output: hostileTexts[0] } }])
  const failedCallId = calls[1]?.id ?? ''
  await giveHostileFeedback(client, project, failedCallId)
  const dataset = await publishDataset(client, project, 'hostile', [
    hostileTexts.slice(1).map((text) => ({ [text.slice(0, 60)]: text, text })),
    hostileTexts.map((text) => ({ [text.slice(0, 60)]: text, text })),
  ])
  const queueId = await createQueue(
    client,
    project,
    hostileTexts[1] ?? '',
    calls.map(({ id }) => id),
  )
  await publishHostileObjects(client, project)
  const runs = [await recordHostileRun(client, project, 0), await recordHostileRun(client, project, 1)] as const
  const itemId = await itemOf(client, project, queueId, failedCallId)
  const modelId = await seedHostileModel(server, project)
  const linkToken = await shareTrace(client, project, traceId)
  return { project, traceId, rootCallId, otherRootCallId, failedCallId, linkToken, threadId, queueId, itemId, dataset, runs, modelId }
}

/** Names are not empty, and hold no NUL character. */
const isName = (text: string) => text.trim() !== '' && !text.includes('\0')

async function giveHostileFeedback(client: TracingClient, project: string, callId: string): Promise<void> {
  const batch = hostileTexts.filter(isName).map((note) => ({
    project_id: project,
    weave_ref: `weave:///${project}/call/${callId}`,
    feedback_type: 'wandb.note.1',
    creator: note.slice(0, 100),
    payload: { note: note.slice(0, 1_000) },
  }))
  await client.feedback.createBatch({ batch })
}

async function publishHostileObjects(client: TracingClient, project_id: string): Promise<void> {
  const [entity = '', project = ''] = project_id.split('/')
  const charts = hostileTexts
    .slice(0, 12)
    .map((title, at) => aChart(title.slice(0, 120), { id: `c${at}`, by: 'op', filter: title.slice(0, 500) }))
  await publish(
    client,
    project_id,
    'hostile-dashboard',
    dashboardValue({ name: hostileTexts[1]!, charts: [aChart('op', { by: 'op' }), ...charts] }),
  )
  await publish(client, project_id, 'hostile-object', { _class_name: '<b>class</b>', description: hostileTexts[0], texts: hostileTexts })
  for (const texts of [hostileTexts.slice(1), hostileTexts])
    await client.ops.create({ entity, project, name: 'hostile_op', source_code: texts.join('\n') })
  const messages = hostileTexts.map((content) => ({ role: content.slice(0, 50), content }))
  await publish(client, project_id, 'hostile-prompt', {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages,
  })
  const costs = Object.fromEntries(
    hostileTexts.filter(isName).map((name) => [name.slice(0, 200), { prompt_token_cost: 1, completion_token_cost: 1 }]),
  )
  await client.costs.create({ project_id, costs })
}

/** A run whose rows, outputs, scores and name are hostile. */
function recordHostileRun(client: TracingClient, project: string, place: number): Promise<string> {
  const trials = hostileTexts.map((text, row) => ({
    example: { question: text, [text.slice(0, 60)]: text },
    output: row % 50 === 49 ? null : text,
    scores: { '<img src=x onerror="window.attacked = true">': { value: (row * (place + 1)) % 7, reason: text } },
  }))
  return recordEvaluation(client, { project, name: hostileTexts[place + 1] ?? '', model: 'hostile', trials })
}

async function seedHostileModel({ url, apiKey }: TestServer, project_id: string): Promise<string> {
  const learner = createClient({ baseUrl: url, apiKey, contract: training })
  const [entity = '', project = ''] = project_id.split('/')
  const [base] = (await learner.baseModels.list({})).data
  const model = await learner.models.create({ entity, project, name: 'hostile', base_model: base?.id ?? '' })
  const trajectories = hostileTexts.map((content, at) => ({
    reward: at % 3,
    metadata: { note: content.slice(0, 100) },
    messages_and_choices: [{ role: 'user', content }],
  }))
  const log = { model_id: model.id, split: 'train', trajectory_groups: [{ trajectories }] }
  await learner.trajectories.log(log as Parameters<typeof learner.trajectories.log>[0])
  return model.id
}
