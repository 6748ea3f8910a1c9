import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseJson, stringifyJson } from '@heddle/json'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { startTestApp, type TestApp } from '@heddle/tracing/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TracingClient } from '../connect.ts'
import { toSpanId, toTraceId } from './foreign-ids.ts'
import type { ForeignSource } from './foreign-sources.ts'
import { importFrom } from './import-from.ts'

let app: TestApp
let client: TracingClient
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  const json = { parse: (text: string) => parseJson(text, { loneSurrogates: 'keep' }), stringify: stringifyJson }
  const options = { baseUrl: 'http://heddle.test', apiKey: app.apiKey, contract: tracing, json, retries: 0 }
  client = createClient({ ...options, fetch: (input, init) => app.service.fetch(new Request(input, init)) })
  folder = await mkdtemp(join(tmpdir(), 'heddle-import-'))
}, 120_000)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

let folders = 0
/** A folder with these files; lists become JSON Lines if the name ends in `.jsonl`. */
async function folderWith(files: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(folder, `${folders++}-`))
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : toText(name, content)
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), name.endsWith('.gz') ? gzipSync(text) : text)
  }
  return path
}
const toText = (name: string, content: unknown) =>
  name.includes('.jsonl') ? (content as unknown[]).map((line) => `${stringifyJson(line)}\n`).join('') : stringifyJson(content)

async function importTo(project: string, from: ForeignSource, path: string) {
  const { imported, skipped } = await importFrom({ client, project, from, path, onStep: () => undefined, onNote: () => undefined })
  return { imported: Object.fromEntries(imported), skipped: [...skipped] }
}

const contentOf = async (project_id: string, digest: string) =>
  Buffer.from((await client.files.content({ project_id, digest })).bytes).toString()

async function callsOf(project_id: string) {
  const { calls } = await client.calls.query({ project_id, include_costs: true, sort_by: [{ field: 'started_at', direction: 'asc' }] })
  return calls
}
async function datasetsOf(project_id: string) {
  const [entity = '', project = ''] = project_id.split('/')
  const datasets = []
  for await (const dataset of client.datasets.list({ entity, project })) datasets.push(dataset)
  return datasets
}
async function datasetRows(project_id: string): Promise<Record<string, unknown>[]> {
  const [dataset] = await datasetsOf(project_id)
  const { rows } = await client.tables.query({ project_id, digest: dataset?.rows.split('/').at(-1) ?? '' })
  return rows.map(({ val }) => val as Record<string, unknown>)
}
const scoresOf = async (project_id: string) => {
  const { result } = await client.feedback.query({ project_id, sort_by: [{ field: 'feedback_type', direction: 'asc' }] })
  return result.map(({ weave_ref, feedback_type, payload }) => [weave_ref?.split('/').slice(5).join('/'), feedback_type, payload])
}
const rootsOf = async (project_id: string) =>
  (await client.calls.query({ project_id, filter: { trace_roots_only: true } })).calls.map(({ id }) => id)

const enriched = [
  {
    id: '0123456789abcdef',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    type: 'AGENT',
    parent_observation_id: '',
    start_time: '2026-05-29 13:46:19.963000',
    end_time: '2026-05-29 13:46:21.500000',
    name: 'answer',
    level: 'DEFAULT',
    input: 'What is the capital?',
    output: '{"answer": 12345678901234567890}',
    user_id: 'u-1',
    session_id: 's-1',
    trace_name: 'answer question',
    tags: ['prod'],
    metadata: { tier: 'pro' },
    usage_details: {},
    cost_details: {},
    total_cost: 0,
  },
  {
    id: 'obs-of-the-former-kind',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    type: 'GENERATION',
    parent_observation_id: '0123456789abcdef',
    start_time: '2026-05-29 13:46:20.000001',
    end_time: '2026-05-29 13:46:21.000000',
    name: 'chat',
    level: 'ERROR',
    status_message: 'rate limited',
    input: '[{"role":"user","content":"What is the capital?"}]',
    output: '{"role":"assistant","content":"Oslo"}',
    provided_model_name: 'a-model-without-price',
    model_parameters: '{"temperature":0.7}',
    usage_details: { input: 400, input_cached_tokens: 12, output: 87, total: 499 },
    cost_details: { input: 0.001, output: 0.002 },
    total_cost: 0.003,
  },
]
const scores = [
  {
    id: 'sc-1',
    trace_id: enriched[0]?.trace_id,
    observation_id: null,
    name: 'helpful?',
    value: 0.5,
    data_type: 'NUMERIC',
    source: 'API',
    comment: 'half',
  },
  {
    id: 'sc-2',
    trace_id: enriched[0]?.trace_id,
    observation_id: 'obs-of-the-former-kind',
    name: 'tone',
    value: 1,
    string_value: 'kind',
    data_type: 'CATEGORICAL',
    source: 'EVAL',
  },
  { id: 'sc-3', trace_id: null, session_id: 's-1', name: 'solved', value: 1, data_type: 'BOOLEAN', source: 'ANNOTATION' },
  { id: 'sc-4', trace_id: 'of another export', name: 'tone', value: 0, data_type: 'NUMERIC', source: 'API' },
  { id: 'sc-5', trace_id: null, dataset_run_id: 'run', name: 'tone', value: 0, data_type: 'NUMERIC', source: 'API' },
]

test('enriched observations and scores of Langfuse become a trace with usage, cost, thread and scores, and again nothing more', async () => {
  const project = app.newProject()
  const path = await folderWith({ 'observations.jsonl.gz': enriched, 'scores.json': scores, 'notes.txt': 'x' })
  const expected = {
    imported: { spans: 2, scores: 3 },
    skipped: [
      ['files (notes.txt is not a file of JSON, CSV or Parquet)', 1],
      ['scores (their trace is not in the export)', 1],
      ['scores (their run of a dataset is not in the export)', 1],
    ],
  }
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)
  const [root, chat] = await callsOf(project)
  expect(root).toMatchObject({ id: '0123456789abcdef', trace_id: enriched[0]?.trace_id, parent_id: null, thread_id: 's-1' })
  expect(root?.started_at).toBe('2026-05-29T13:46:19.963000Z')
  expect(stringifyJson(root?.output)).toContain('12345678901234567890')
  const model = { 'a-model-without-price': { input_tokens: 412, output_tokens: 87, total_tokens: 499, cache_read_input_tokens: 12 } }
  expect(chat).toMatchObject({ id: toSpanId('obs-of-the-former-kind'), parent_id: '0123456789abcdef', exception: 'rate limited' })
  expect(JSON.parse(stringifyJson(chat?.summary))).toMatchObject({ usage: model })
  const { traces } = await client.calls.traceTotals({ project_id: project, trace_ids: [enriched[0]?.trace_id ?? ''] })
  expect(traces).toMatchObject([{ calls: 2, tokens: 499, cost: 0.003 }])
  expect(await scoresOf(project)).toEqual([
    ['call/0123456789abcdef', 'wandb.annotation.helpful', { value: 0.5, comment: 'half', source: 'API' }],
    ['agent_conversation/s-1', 'wandb.annotation.solved', { value: true, source: 'ANNOTATION' }],
    [`call/${toSpanId('obs-of-the-former-kind')}`, 'wandb.annotation.tone', { value: 'kind', source: 'EVAL' }],
  ])
})

test('a Langfuse trace with one root observation gives that its fields, and one with none or several is a span itself', async () => {
  const project = app.newProject()
  const times = { startTime: '2026-05-01T00:00:00Z', endTime: '2026-05-01T00:00:02.5Z' }
  const trace = (id: string, name: string) => ({ id, name, timestamp: '2026-05-01T00:00:00Z', userId: 'u', input: 'in', output: 'out' })
  const path = await folderWith({
    'traces.json': { data: [trace('one', 'single'), trace('two', 'several'), trace('none', 'empty')], meta: {} },
    'observations.json': [
      { id: 'a', traceId: 'one', type: 'SPAN', name: 'work', ...times, input: 'own', output: 'own' },
      { id: 'b', traceId: 'two', type: 'SPAN', name: 'first', ...times },
      { id: 'c', traceId: 'two', type: 'EVENT', name: 'second', startTime: times.startTime, endTime: null },
    ],
  })
  expect((await importTo(project, 'langfuse', path)).imported).toEqual({ spans: 5 })
  const calls = await callsOf(project)
  const byId = new Map(calls.map((call) => [call.id, call]))
  expect((await rootsOf(project)).toSorted()).toEqual([toSpanId('a'), toSpanId('trace none'), toSpanId('trace two')].toSorted())
  expect(byId.get(toSpanId('b'))?.parent_id).toBe(toSpanId('trace two'))
  expect(byId.get(toSpanId('c'))?.ended_at).toBe(byId.get(toSpanId('c'))?.started_at)
  expect(byId.get(toSpanId('trace two'))).toMatchObject({ trace_id: toTraceId('two'), ended_at: '2026-05-01T00:00:02.500000Z' })
})

test('dataset items and prompts of Langfuse become datasets and versions of prompts with their labels', async () => {
  const project = app.newProject()
  const path = await folderWith({
    'items.json': [
      { id: 'i1', datasetName: 'capital cities', input: { city: '?' }, expectedOutput: 'Oslo', metadata: null },
      { id: 'i2', datasetName: 'capital cities', input: parseJson('{"n":1.0}'), expectedOutput: null },
    ],
    'prompts.json': [
      { name: 'greet', version: 2, type: 'chat', prompt: [{ role: 'system', content: 'Be {{kind}}' }], labels: ['production', 'latest'] },
      { name: 'greet', version: 1, type: 'text', prompt: 'Say {{hello}}', labels: [], config: { temperature: 1 } },
    ],
  })
  expect((await importTo(project, 'langfuse', path)).imported).toEqual({ datasets: 1, 'rows of datasets': 2, 'versions of prompts': 2 })
  const [dataset] = await datasetsOf(project)
  const { rows } = await client.tables.query({ project_id: project, digest: dataset?.rows.split('/').at(-1) ?? '' })
  expect(rows.map(({ val }) => stringifyJson(val))).toEqual([
    '{"id":"i1","input":{"city":"?"},"expected_output":"Oslo"}',
    '{"id":"i2","input":{"n":1.0}}',
  ])
  const { obj } = await client.objects.read({ project_id: project, object_id: 'greet', digest: 'production' })
  expect(obj).toMatchObject({ version_index: 1, val: { _type: 'MessagesPrompt', messages: [{ role: 'system', content: 'Be {{kind}}' }] } })
})

const runItem = (id: string, part: object) => ({ id, datasetRunId: 'run-1', datasetRunName: 'first try', observationId: null, ...part })

test('runs of datasets of Langfuse become evaluation runs with the rows, outputs, scores and traces of their items, and again nothing more', async () => {
  const project = app.newProject()
  const at = (second: number) => `2026-05-01T00:00:0${second}.000Z`
  const observation = (id: string, traceId: string, second: number, output: string) => ({
    id,
    traceId,
    type: 'SPAN',
    name: 'answer',
    startTime: at(second),
    endTime: at(second + 2),
    output,
  })
  const score = { name: 'right', data_type: 'NUMERIC', source: 'API' }
  const path = await folderWith({
    'items.json': [
      { id: 'i1', datasetName: 'capital cities', input: { country: 'Norway' }, expectedOutput: 'Oslo' },
      { id: 'i2', datasetName: 'capital cities', input: { country: 'Chad' }, expectedOutput: 'N’Djamena' },
    ],
    'observations.json': [
      observation('a', 't1', 1, 'Oslo'),
      observation('b', 't2', 3, 'Abuja'),
      { ...observation('c', 't2', 4, 'Lagos'), parentObservationId: 'b' },
    ],
    'runs.json': [
      {
        id: 'run-1',
        name: 'first try',
        description: 'a first one',
        datasetName: 'capital cities',
        createdAt: at(0),
        datasetRunItems: [
          runItem('r1', { datasetItemId: 'i1', traceId: 't1' }),
          runItem('r2', { datasetItemId: 'i2', traceId: 't2', observationId: 'c' }),
        ],
      },
      { id: 'run-2', name: 'listed only', datasetId: 'd', datasetName: 'capital cities' },
    ],
    'run-items.jsonl': [runItem('r3', { datasetItemId: 'i9', traceId: 't1' }), runItem('r4', { datasetItemId: 'i1', traceId: 'lost' })],
    'scores.json': [
      { id: 's1', trace_id: 't1', value: 1, ...score },
      { id: 's2', trace_id: 't2', value: 0, ...score },
      { id: 's3', trace_id: 't2', observation_id: 'c', value: 0.5, ...score, name: 'close' },
      { id: 's4', dataset_run_id: 'run-1', value: 0.5, ...score, name: 'overall' },
    ],
  })
  const expected = {
    imported: { spans: 3, datasets: 1, 'rows of datasets': 2, scores: 4, trials: 3, 'evaluation runs': 1 },
    skipped: [
      ['links of run items to rows (the item is not in the export)', 1],
      ['items of dataset runs (their trace is not in the project)', 1],
      ['dataset runs (the export has none of their items)', 1],
    ],
  }
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)

  const [entity = '', name = ''] = project.split('/')
  const runs = []
  for await (const run of client.evaluationRuns.list({ entity, project: name })) runs.push(run)
  expect(runs).toMatchObject([{ status: 'completed', started_at: '2026-05-01T00:00:01Z', finished_at: '2026-05-01T00:00:06Z' }])
  const evaluation_run_id = runs[0]!.evaluation_run_id
  const shown = { evaluation_run_ids: [evaluation_run_id], include_raw_data_rows: true, resolve_row_refs: true, include_summary: true }
  const { rows, summary } = await client.evalResults.query({ entity, project: name, ...shown })
  const trials = rows.map(({ raw_data_row, evaluations }) => [raw_data_row, ...evaluations.flatMap((each) => each.trials)] as const)
  const trialOf = (id: string) => trials.find(([row]) => (row as { id?: string } | null)?.id === id)
  const span = (trace: string, id: string) => [{ trace_id: toTraceId(trace), span_id: toSpanId(id) }]
  expect(trialOf('i1')).toMatchObject([
    { id: 'i1', input: { country: 'Norway' }, expected_output: 'Oslo' },
    { model_output: 'Oslo', scores: { right: 1 }, model_latency_seconds: 2, genai_span_ref: span('t1', 'a') },
  ])
  expect(trialOf('i2')?.[1]).toMatchObject({ model_output: 'Lagos', scores: { right: 0, close: 0.5 }, genai_span_ref: span('t2', 'c') })
  expect(trialOf('i9')).toMatchObject([{ id: 'i9' }, { model_output: 'Oslo' }])
  expect(summary).toMatchObject({ row_count: 3 })
  expect((await scoresOf(project)).filter(([, type]) => type === 'wandb.annotation.overall')).toEqual([
    [`call/${evaluation_run_id}`, 'wandb.annotation.overall', { value: 0.5, source: 'API' }],
  ])
})

test('media of Langfuse that the export has become files that values name, and the others are counted', async () => {
  const project = app.newProject()
  const mediaOf = (type: string, id: string) => `@@@langfuseMedia:type=${type}|id=${id}|source=base64_data_uri@@@`
  const times = { startTime: '2026-05-01T00:00:00Z', endTime: '2026-05-01T00:00:01Z' }
  const picture = { type: 'image_url', image_url: { url: mediaOf('image/jpeg', 'im-1') } }
  const path = await folderWith({
    'observations.json': [
      {
        id: 'a',
        traceId: 't',
        type: 'GENERATION',
        name: 'look',
        model: 'm',
        ...times,
        input: stringifyJson([{ role: 'user', content: [picture, { type: 'text', text: `see ${mediaOf('image/jpeg', 'im-1')}` }] }]),
        output: mediaOf('application/pdf', 'pdf_2'),
        metadata: { lost: mediaOf('image/png', 'im-3') },
      },
    ],
    'items.json': [{ id: 'i1', datasetName: 'pictures', input: { image: mediaOf('image/jpeg', 'im-1') }, expectedOutput: 'a cat' }],
    'im-1.jpg': 'a picture',
    'pdf_2.pdf': 'a document',
    'other.png': 'x',
  })
  const expected = {
    imported: { 'media files': 2, spans: 1, datasets: 1, 'rows of datasets': 1 },
    skipped: [
      ['media files (records refer to them, but the export has none of their name)', 1],
      ['files (other.png is not a file of JSON, CSV or Parquet)', 1],
    ],
  }
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)
  expect(await importTo(project, 'langfuse', path)).toEqual(expected)

  const image = (await datasetRows(project))[0]?.['input'] as { image: { files: Record<string, string> } }
  expect(image.image).toMatchObject({ _type: 'CustomWeaveType', weave_type: { type: 'PIL.Image.Image' } })
  expect(await contentOf(project, image.image.files['image.jpg'] ?? '')).toBe('a picture')
  const [call] = await callsOf(project)
  const text = stringifyJson({ inputs: call?.inputs, output: call?.output, attributes: call?.attributes })
  expect(text).toContain(stringifyJson({ url: image.image }))
  expect(text).toContain(`see ${mediaOf('image/jpeg', 'im-1')}`)
  expect(text).toContain(mediaOf('image/png', 'im-3'))
  const [, content = '', metadata = ''] = /"files":\{"content":"(\w+)","metadata\.json":"(\w+)"\}/.exec(text) ?? []
  expect(await contentOf(project, content)).toBe('a document')
  expect(JSON.parse(await contentOf(project, metadata))).toMatchObject({
    mimetype: 'application/pdf',
    filename: 'pdf_2.pdf',
    size: 10,
    digest: createHash('sha256').update('a document').digest('hex'),
  })
})

/** How the server of Langfuse names content in its bucket. */
const langfuseMediaId = (content: string) => createHash('sha256').update(content).digest('base64url').slice(0, 22)

test('media of Langfuse that are JSON, CSV or Parquet are content, and not read as records', async () => {
  const project = app.newProject()
  const json = '[1, 2] and what no JSON has'
  const csv = 'id,timestamp\nt-9,2026-05-01T00:00:00Z\n'
  const unreferenced = '{"id":"not a trace","timestamp":"2026-05-01T00:00:00Z"}'
  const idOfFormerContent = 'former-content_of-0001'
  const mediaOf = (type: string, id: string) => `@@@langfuseMedia:type=${type}|id=${id}|source=file@@@`
  const path = await folderWith({
    'observations.jsonl': [
      {
        id: 'a',
        traceId: 't',
        type: 'SPAN',
        name: 'read',
        startTime: '2026-05-01T00:00:00Z',
        endTime: '2026-05-01T00:00:01Z',
        input: { report: mediaOf('application/json', langfuseMediaId(json)), table: mediaOf('text/csv', langfuseMediaId(csv)) },
        output: mediaOf('application/vnd.apache.parquet', idOfFormerContent),
      },
    ],
    'observations-part-0002.jsonl': [
      { id: 'b', traceId: 't', parentObservationId: 'a', type: 'SPAN', name: 'part', startTime: '2026-05-01T00:00:01Z' },
    ],
    [`media/project-1/${langfuseMediaId(json)}.json`]: json,
    [`media/project-1/${langfuseMediaId(csv)}.csv`]: csv,
    [`media/project-1/${idOfFormerContent}.parquet`]: 'no rows',
    [`media/project-1/${langfuseMediaId(unreferenced)}.jsonl`]: unreferenced,
  })
  expect(await importTo(project, 'langfuse', path)).toEqual({
    imported: { 'media files': 3, spans: 2 },
    skipped: [['media files (no record refers to them)', 1]],
  })
  const [call] = await callsOf(project)
  const contents = stringifyJson({ inputs: call?.inputs, output: call?.output }).matchAll(/"content":"(\w+)","metadata\.json":"(\w+)"/g)
  const stored = await Promise.all(
    [...contents].map(async ([, content = '', metadata = '']) => [
      (JSON.parse(await contentOf(project, metadata)) as { mimetype: string }).mimetype,
      await contentOf(project, content),
    ]),
  )
  expect(stored).toEqual([
    ['application/json', json],
    ['text/csv', csv],
    ['application/vnd.apache.parquet', 'no rows'],
  ])
})

test('a file of records is read as such, also if its name has the form of an id of media', async () => {
  const project = app.newProject()
  const path = await folderWith({
    'observations-part_0001.json': [{ id: 'a', traceId: 't', type: 'EVENT', name: 'one', startTime: '2026-05-01T00:00:00Z' }],
    'observations_part-0002.csv': 'id,traceId,type,name,startTime\nb,t,EVENT,two,2026-05-01T00:00:00Z\n',
  })
  expect(await importTo(project, 'langfuse', path)).toMatchObject({ imported: { spans: 2 }, skipped: [] })
})

const phoenixSpan = {
  id: 'U3Bhbjox',
  name: 'ChatCompletion',
  context: { trace_id: '5b8efff798038103d269b633813fc60c', span_id: 'eee19b7ec3c1b174' },
  span_kind: 'LLM',
  parent_id: null,
  start_time: '2026-02-01T10:00:00.123456+00:00',
  end_time: '2026-02-01T10:00:01+00:00',
  status_code: 'OK',
  status_message: '',
  attributes: {
    'llm.model_name': 'some-model',
    'llm.token_count.prompt': 10,
    'llm.token_count.completion': 5,
    'llm.input_messages': [{ 'message.role': 'user', 'message.content': 'Hi' }],
    'session.id': 'chat-7',
    'input.value': '{"messages":[{"role":"user","content":"Hi"}]}',
    'input.mime_type': 'application/json',
    'output.value': 'Hello',
  },
  events: [{ name: 'first token', timestamp: '2026-02-01T10:00:00.5Z', attributes: {} }],
}

test('spans, annotations and dataset examples of Phoenix, from its API and from rows of a data frame', async () => {
  const project = app.newProject()
  const csv = [
    'context.trace_id,context.span_id,parent_id,name,span_kind,start_time,end_time,status_code,status_message,attributes.tool.name,attributes.input.value',
    '5b8efff798038103d269b633813fc60c,aaa19b7ec3c1b174,eee19b7ec3c1b174,look up,TOOL,2026-02-01 10:00:00.200+00:00,2026-02-01 10:00:00.300+00:00,ERROR,"no ""such"" city",weather,"{""city"":""Oslo""}"',
  ].join('\n')
  const path = await folderWith({
    'spans.json': { data: [phoenixSpan], next_cursor: null },
    'frame.csv': csv,
    'annotations.json': [
      {
        id: 'A1',
        span_id: 'eee19b7ec3c1b174',
        name: 'correct',
        annotator_kind: 'LLM',
        result: { label: 'yes', score: 1, explanation: 'so' },
      },
      {
        id: 'A2',
        trace_id: '5b8efff798038103d269b633813fc60c',
        name: 'mood',
        annotator_kind: 'HUMAN',
        result: { label: 'glad', score: null },
      },
    ],
    'examples.json': { data: { dataset_id: 'D', examples: [{ id: 'e1', input: { q: 1 }, output: { a: 2 }, metadata: {} }] } },
  })
  expect((await importTo(project, 'phoenix', path)).imported).toEqual({ spans: 2, scores: 2, datasets: 1, 'rows of datasets': 1 })
  const [llm, tool] = await callsOf(project)
  expect(llm).toMatchObject({ id: 'eee19b7ec3c1b174', thread_id: 'chat-7', started_at: '2026-02-01T10:00:00.123456Z', exception: null })
  expect(JSON.parse(stringifyJson(llm?.summary))).toMatchObject({ usage: { 'some-model': { prompt_tokens: 10, completion_tokens: 5 } } })
  expect(tool).toMatchObject({ parent_id: 'eee19b7ec3c1b174', exception: 'no "such" city' })
  expect(await scoresOf(project)).toEqual([
    ['call/eee19b7ec3c1b174', 'wandb.annotation.correct', { value: 1, label: 'yes', comment: 'so', source: 'LLM' }],
    ['call/eee19b7ec3c1b174', 'wandb.annotation.mood', { value: 'glad', source: 'HUMAN' }],
  ])
})

test('traces of MLflow, whatever the version of their spans, with assessments and dataset records', async () => {
  const project = app.newProject()
  const hex = 'd0d1d2d3d4d5d6d7d8d9dadbdcdddedf'
  const base64 = (text: string) => Buffer.from(text, 'hex').toString('base64')
  const attributes = {
    'mlflow.spanType': '"CHAT_MODEL"',
    'mlflow.spanInputs': '{"messages": [{"role": "user", "content": "Hi"}]}',
    'mlflow.spanOutputs': '"Hello"',
    'mlflow.chat.tokenUsage': '{"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}',
    'mlflow.llm.model': '"m"',
  }
  const times = { start_time_unix_nano: parseJson('1769904000000000001'), end_time_unix_nano: parseJson('1769904001000000000') }
  const third = {
    info: {
      trace_id: 'tr-1',
      trace_metadata: { 'mlflow.trace.session': 'sess', 'mlflow.trace.user': 'u' },
      tags: { 'mlflow.traceName': 'x', team: 'red' },
      assessments: [
        {
          assessment_id: 'a-1',
          assessment_name: 'relevant',
          feedback: { value: true },
          rationale: 'on topic',
          source: { source_type: 'LLM_JUDGE', source_id: 'judge' },
        },
        { assessment_id: 'a-2', assessment_name: 'answer', expectation: { value: 'Hello!' }, source: { source_type: 'HUMAN' } },
      ],
    },
    data: {
      spans: [
        {
          trace_id: base64(hex),
          span_id: base64('a1a2a3a4a5a6a7a8'),
          parent_span_id: '',
          name: 'chat',
          ...times,
          attributes,
          events: [],
          status: { code: 'STATUS_CODE_OK', message: '' },
        },
        {
          trace_id: base64(hex),
          span_id: base64('b1b2b3b4b5b6b7b8'),
          parent_span_id: base64('a1a2a3a4a5a6a7a8'),
          name: 'tool',
          ...times,
          attributes: {},
          events: [],
          status: { code: 'STATUS_CODE_ERROR', message: 'gone' },
        },
      ],
    },
  }
  const second = {
    info: { request_id: 'r-2' },
    data: {
      spans: [
        {
          context: { trace_id: '0xe0e1e2e3e4e5e6e7e8e9eaebecedeeef', span_id: '0xc1c2c3c4c5c6c7c8' },
          parent_id: null,
          name: 'old',
          start_time: parseJson('1769904002000000000'),
          end_time: parseJson('1769904003000000000'),
          status_code: 'OK',
          status_message: '',
          attributes: { 'mlflow.spanInputs': '{"q":1}' },
          events: [],
        },
      ],
    },
  }
  const path = await folderWith({ 'traces.jsonl': [third, second], 'golden.jsonl': [{ inputs: { q: 1 }, expectations: { answer: 2 } }] })
  expect((await importTo(project, 'mlflow', path)).imported).toEqual({ spans: 3, scores: 2, datasets: 1, 'rows of datasets': 1 })
  const calls = await callsOf(project)
  expect(calls.map(({ id, parent_id, exception }) => [id, parent_id, exception])).toEqual(
    expect.arrayContaining([
      ['a1a2a3a4a5a6a7a8', null, null],
      ['b1b2b3b4b5b6b7b8', 'a1a2a3a4a5a6a7a8', 'gone'],
      ['c1c2c3c4c5c6c7c8', null, null],
    ]),
  )
  const chat = calls.find(({ id }) => id === 'a1a2a3a4a5a6a7a8')
  expect(chat).toMatchObject({ trace_id: hex, thread_id: 'sess', started_at: '2026-02-01T00:00:00Z' })
  expect(JSON.parse(stringifyJson(chat?.summary))).toMatchObject({ usage: { m: { input_tokens: 3, output_tokens: 4 } } })
  expect(await scoresOf(project)).toEqual([
    ['call/a1a2a3a4a5a6a7a8', 'wandb.annotation.answer', { value: 'Hello!', kind: 'expectation', source: 'HUMAN' }],
    ['call/a1a2a3a4a5a6a7a8', 'wandb.annotation.relevant', { value: true, comment: 'on topic', source: 'LLM_JUDGE' }],
  ])
})

test('calls of Weave keep their ids, exact numbers and feedback, and those that have not ended stay open', async () => {
  const project = app.newProject()
  const call = {
    project_id: 'theirs/project',
    trace_id: '01976d8a-0000-7000-8000-000000000001',
    parent_id: null,
    op_name: 'weave:///theirs/project/op/predict:abc',
    started_at: '2026-03-01T00:00:00.000001Z',
    attributes: { weave: { client_version: '0.54' } },
    inputs: parseJson('{"n":12345678901234567890}'),
    summary: {
      usage: { m: { prompt_tokens: 1, completion_tokens: 2, requests: 1 } },
      weave: {
        status: 'success',
        feedback: [
          { id: 'f1', feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' }, creator: 'me' },
          { id: 'f2', feedback_type: 'wandb.runnable.judge', payload: { output: { passed: true } } },
        ],
      },
    },
  }
  const ended = { ...call, id: '01976d8a-0000-7000-8000-000000000001', ended_at: '2026-03-01T00:00:01Z', output: 'x' }
  const open = { ...call, id: '01976d8a-0000-7000-8000-000000000002', parent_id: ended.id, ended_at: null, summary: {} }
  const path = await folderWith({ 'calls.jsonl': [ended, open] })
  expect(await importTo(project, 'weave', path)).toEqual({ imported: { calls: 2, scores: 1, 'notes and reactions': 1 }, skipped: [] })
  const calls = await callsOf(project)
  expect(calls.map(({ id, ended_at }) => [id, ended_at])).toEqual(
    expect.arrayContaining([
      [ended.id, '2026-03-01T00:00:01Z'],
      [open.id, null],
    ]),
  )
  expect(stringifyJson(calls[0]?.inputs)).toBe('{"n":12345678901234567890}')
  expect((await scoresOf(project)).map(([, type]) => type)).toEqual(['wandb.annotation.judge', 'wandb.reaction.1'])
})

test('lines of fine-tuning and evaluation files of OpenAI become rows of a dataset of the name of their file', async () => {
  const project = app.newProject()
  const path = await folderWith({
    'train.jsonl': [{ messages: [{ role: 'user', content: 'Hi', weight: 0 }], tools: [] }],
    'pairs.jsonl': [{ input: { messages: [] }, preferred_output: [], non_preferred_output: [] }],
    'eval.jsonl': [{ item: { question: 'a' }, sample: { output_text: 'b' } }, { other: 1 }],
    'output_items.json': {
      object: 'list',
      data: [
        {
          object: 'eval.run.output_item',
          id: 'o',
          run_id: 'r',
          datasource_item: { q: 1 },
          status: 'pass',
          results: [{ name: 'g', score: 1 }],
          sample: { output: [] },
        },
      ],
    },
  })
  expect(await importTo(project, 'openai', path)).toEqual({
    imported: { datasets: 4, 'rows of datasets': 4 },
    skipped: [['records (neither a line of fine-tuning nor of an evaluation)', 1]],
  })
  expect((await datasetsOf(project)).map((one) => one.name).toSorted()).toEqual(['eval', 'output_items', 'pairs', 'train'])
})

test('rows of Parquet are read as those of JSON are, with their times and whole numbers', async () => {
  const project = app.newProject()
  const rows = enriched.map(({ id, trace_id, name, type, parent_observation_id }) => ({ id, trace_id, name, type, parent_observation_id }))
  const texts = (['id', 'trace_id', 'name', 'type', 'parent_observation_id'] as const).map((column) => ({
    name: column,
    data: rows.map((row) => row[column]),
    type: 'STRING' as const,
  }))
  const start_time = { name: 'start_time', data: enriched.map((_, n) => new Date(1_800_000_000_000 + n)), type: 'TIMESTAMP' as const }
  const prompt_version = { name: 'prompt_version', data: [7n, 8n], type: 'INT64' as const }
  const path = await folderWith({})
  await writeFile(
    join(path, 'observations.parquet'),
    new Uint8Array(parquetWriteBuffer({ columnData: [...texts, start_time, prompt_version] })),
  )
  expect((await importTo(project, 'langfuse', path)).imported).toEqual({ spans: 2 })
  const [root, chat] = await callsOf(project)
  expect(root).toMatchObject({ id: '0123456789abcdef', started_at: '2027-01-15T08:00:00Z' })
  expect(stringifyJson(chat?.attributes)).toContain('"version":8')
})

test('a record that cannot be read is named by file and line, and a folder without exports is refused', async () => {
  const project = app.newProject()
  const broken = await folderWith({ 'observations.jsonl': `${stringifyJson(enriched[0])}\n{"id": 1,\n` })
  await expect(importTo(project, 'langfuse', broken)).rejects.toThrow(/^observations\.jsonl, line 2: /)
  const timeless = await folderWith({ 'observations.jsonl': [{ ...enriched[1], start_time: 'yesterday' }] })
  await expect(importTo(project, 'langfuse', timeless)).rejects.toThrow(
    'observations.jsonl, line 1: start_time is not a time, got "yesterday"',
  )
  await expect(importTo(project, 'phoenix', await folderWith({ 'a.txt': '' }))).rejects.toThrow(
    'holds no .json, .jsonl, .csv, .tsv or .parquet file',
  )
  expect(await callsOf(project)).toEqual([])
})

test('how a table is read is said before it is imported, and a file that cannot be read leaves nothing of the others', async () => {
  const project = app.newProject()
  const text = 'context.trace_id;context.span_id;name;start_time\r\na1;b1;caf\u00e9;2026-02-01 10:00:00Z\r\n'
  const folder = await folderWith({ 'spans.jsonl': `${stringifyJson({ ...phoenixSpan, name: 'caf\u00e9' })}\n` })
  await writeFile(join(folder, 'a.csv'), Buffer.from(text, 'latin1'))
  const notes: string[] = []
  const importing = { client, project, from: 'phoenix', onStep: () => undefined, onNote: (line: string) => void notes.push(line) } as const
  const path = join(folder, 'a.csv')
  expect((await importFrom({ ...importing, path })).imported).toEqual(new Map([['spans', 1]]))
  expect(notes).toEqual([`Reading ${path} as Windows-1252 or Latin-1 (Western European), separator: Semicolon`])
  expect(await callsOf(project)).toMatchObject([{ op_name: expect.stringContaining('café') }])

  const other = { ...importing, project: app.newProject(), path: folder }
  await writeFile(join(folder, 'spans.jsonl'), Buffer.from(stringifyJson({ ...phoenixSpan, name: 'caf\u00e9' }), 'latin1'))
  await expect(importFrom(other)).rejects.toThrow('spans.jsonl is neither UTF-8 nor UTF-16')
  expect(await callsOf(other.project)).toEqual([])
})

test('a span that the server refuses is reported with its reason, and the others are stored', async () => {
  const project = app.newProject()
  const spans = [phoenixSpan, { ...phoenixSpan, context: { ...phoenixSpan.context, span_id: '0000000000000000' } }]
  const { imported, skipped } = await importTo(project, 'phoenix', await folderWith({ 'spans.jsonl': spans }))
  expect(imported).toEqual({ spans: 1 })
  expect(skipped).toEqual([[expect.stringContaining('the span id must be 8 bytes that are not all zero'), 1]])
})
