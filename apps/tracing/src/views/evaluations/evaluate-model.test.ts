import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../contract-tests/testing/call-builders.ts'
import { createModelProviders } from '../../providers/model-providers.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'

interface Asked {
  model: string
  messages: { role: string; content: string }[]
}
type Reply = { status?: number; content?: string; error?: string }

let app: TestApp
let client: TestClient
let project_id: string
let place: { entity: string; project: string }
let provider: ReturnType<typeof createServer>
let baseUrl: string
let asked: Asked[]
let reply: (asked: Asked) => Reply | Promise<Reply>

beforeAll(async () => {
  provider = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked
      asked.push(body)
      const { status = 200, content, error } = await reply(body)
      const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
      const answer = error === undefined ? { choices: [{ message: { content } }], usage } : { error: { message: error } }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  app = await startTestApp({
    service: {
      outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
      providers: providersOf(),
    },
  })
  client = app.client
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await app.close()
})
beforeEach(() => {
  project_id = app.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  place = { entity, project }
  asked = []
  reply = ({ messages }) => ({ content: `answer to ${messages.at(-1)?.content}` })
})

const providersOf = () => createModelProviders([{ name: 'local', baseUrl, apiKey: 'provider-secret' }], 'local')

const classes = (name: string, base = name) => ({
  _type: name,
  _class_name: name,
  _bases: base === name ? ['Object', 'BaseModel'] : [base, 'Object', 'BaseModel'],
})

async function publish(object_id: string, val: Record<string, unknown>): Promise<string> {
  const { digest } = await client.objects.create({ obj: { project_id, object_id, val } })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}
const aModel = (more: Record<string, unknown> = {}) =>
  publish('model', {
    ...classes('LLMStructuredCompletionModel'),
    name: 'model',
    llm_model_id: 'local/m',
    default_params: { response_format: 'text' },
    ...more,
  })
const aScorer = (name: string, className: string, more: Record<string, unknown> = {}) =>
  publish(name, { ...classes(className, 'Scorer'), name, ...more })

const aJudge = async (more: Record<string, unknown>) => {
  const model = await publish('judge-model', {
    ...classes('LLMStructuredCompletionModel'),
    llm_model_id: 'local/judge',
    default_params: { response_format: 'json_object' },
  })
  return aScorer('Judge', 'LLMAsAJudgeScorer', { model, ...more })
}

async function anEvaluation(rows: Record<string, unknown>[], scorers: string[], trials = 1): Promise<string> {
  const dataset = await client.datasets.create({ ...place, name: 'set', rows })
  const ref = `weave:///${project_id}/object/${dataset.object_id}:${dataset.digest}`
  return (await client.evaluations.create({ ...place, name: 'ev', dataset: ref, scorers, trials })).evaluation_ref
}

async function run(evaluation_ref: string, model_ref: string) {
  const { call_id } = await client.evaluations.evaluateModel({ project_id, evaluation_ref, model_ref })
  const status = await ended(call_id)
  const { calls } = await client.calls.query({ project_id })
  return { call_id, status, calls }
}

const statusOf = async (call_id: string, of = client) => (await of.evaluations.status({ project_id, call_id })).status
async function ended(call_id: string, of = client) {
  return vi.waitFor(
    async () => {
      const status = await statusOf(call_id, of)
      if (status.code === 'running' || status.code === 'not_found') throw new Error(`still ${status.code}`)
      return status
    },
    { timeout: 60_000, interval: 50 },
  )
}
const nameOf = ({ op_name }: { op_name: string }) => /([^/]+):[^:]*$/.exec(op_name)?.[1] ?? op_name

describe('an evaluation on the server', () => {
  test('writes the calls of a client: seven for one row and one judge', async () => {
    reply = ({ messages }) => ({ content: messages[0]?.content.startsWith('Judge') ? '{"score": 9}' : 'Paris' })
    const judge = await aJudge({ scoring_prompt: 'Judge {output} for {question} {{}}' })
    const model = await aModel({
      default_params: {
        messages_template: [
          { role: 'system', content: 'Short.' },
          { role: 'user', content: '{question}' },
        ],
      },
    })
    const evaluation = await anEvaluation([{ question: 'Capital of France?' }], [judge])
    const { call_id, status, calls } = await run(evaluation, model)

    expect(status).toEqual({ code: 'complete', output: { judge: { score: { mean: 9 } }, model_latency: { mean: expect.any(Number) } } })
    const byName = new Map(calls.map((call) => [nameOf(call), call]))
    const tree = calls.map((call) => [nameOf(call), nameOf(calls.find(({ id }) => id === call.parent_id) ?? { op_name: '' })]).sort()
    expect(tree).toEqual(
      [
        ['Evaluation.evaluate', ''],
        ['Evaluation.predict_and_score', 'Evaluation.evaluate'],
        ['Evaluation.summarize', 'Evaluation.evaluate'],
        ['LLMAsAJudgeScorer.score', 'Evaluation.predict_and_score'],
        ['LLMAsAJudgeScorer.summarize', 'Evaluation.summarize'],
        ['LLMStructuredCompletionModel.predict', 'Evaluation.predict_and_score'],
        ['LLMStructuredCompletionModel.predict', 'LLMAsAJudgeScorer.score'],
      ].sort(),
    )
    const root = byName.get('Evaluation.evaluate')
    expect(root).toMatchObject({
      id: call_id,
      trace_id: call_id,
      parent_id: null,
      wb_user_id: 'tester',
      inputs: { self: evaluation, model },
    })
    expect(root?.summary).toMatchObject({ status_counts: { success: 7, error: 0 } })
    expect(root?.summary).toMatchObject({ usage: { 'local/m': { total_tokens: 5, requests: 1 }, 'local/judge': { total_tokens: 5 } } })
    for (const call of calls) expect(call.attributes).toMatchObject({ _weave_eval_meta: { evaluate_model_worker: true } })
    expect(byName.get('Evaluation.predict_and_score')?.output).toEqual({
      output: 'Paris',
      scores: { judge: { score: 9 } },
      model_latency: expect.any(Number),
    })
    expect(asked.map(({ model, messages }) => [model, messages.at(-1)?.content])).toEqual([
      ['m', 'Capital of France?'],
      ['judge', 'Judge Paris for Capital of France? {}'],
    ])
  })

  test.each(['scoring_prompt', 'prompt_ref', 'scoring_prompt_ref'])(
    'asks a judge with the stored messages that its %s names',
    async (field) => {
      reply = ({ messages }) => ({ content: messages[0]?.role === 'system' ? '{"score": 1}' : 'Paris' })
      const messages = [
        { role: 'system', content: 'Be strict about {inputs[topic]}.' },
        { role: 'user', content: '{output}? {topic}' },
      ]
      const prompt = await publish('prompt', { ...classes('MessagesPrompt', 'Prompt'), messages })
      const evaluation = await anEvaluation([{ user_input: 'Capital?', topic: 'maps' }], [await aJudge({ [field]: prompt })])
      const { status } = await run(evaluation, await aModel())
      expect(status).toMatchObject({ code: 'complete', output: { judge: { score: { mean: 1 } } } })
      expect(asked.at(-1)?.messages).toEqual([
        { role: 'system', content: 'Be strict about maps.' },
        { role: 'user', content: 'Paris? maps' },
      ])
    },
  )

  test('counts a name in a prompt that no row has as a failure of the judge', async () => {
    const evaluation = await anEvaluation([{ user_input: 'a' }], [await aJudge({ scoring_prompt: 'Judge {unknown}' })])
    const { status, calls } = await run(evaluation, await aModel())
    expect(status).toMatchObject({ code: 'complete', output: { judge: null } })
    expect(calls.find((call) => nameOf(call) === 'Evaluation.predict_and_score')?.exception).toContain('unknown')
  })

  test('takes a model of a subclass, a stored provider model by its reference, and a stored prompt before the template', async () => {
    const provider = await publish('local', { ...classes('Provider'), name: 'local' })
    const llm_model_id = await publish('pm', { ...classes('ProviderModel'), name: 'named', provider })
    const prompt = await publish('prompt', { ...classes('MessagesPrompt', 'Prompt'), messages: [{ role: 'system', content: 'Stored' }] })
    const default_params = { prompt, messages_template: [{ role: 'system', content: 'Template' }] }
    const own = { ...classes('OwnModel'), _bases: ['LLMStructuredCompletionModel', 'Model', 'Object', 'BaseModel'] }
    const { status } = await run(await anEvaluation([{ user_input: 'a' }], []), await aModel({ ...own, llm_model_id, default_params }))
    expect(status).toMatchObject({ code: 'complete' })
    expect(asked.map(({ model, messages }) => [model, messages.map(({ content }) => content)])).toEqual([['named', ['Stored', 'a']]])
  })

  test('predicts each row in each trial, in the order of the dataset, and runs rules without a model', async () => {
    const rows = [1, 2, 3].map((n) => ({ user_input: `q${n}`, expected: `answer to q${n === 2 ? 0 : n}` }))
    const evaluation = await anEvaluation(
      rows,
      [await aScorer('exact', 'ExactMatchScorer'), await aScorer('near', 'FuzzyMatchScorer', { threshold: 0.9 })],
      2,
    )
    const { status, calls } = await run(evaluation, await aModel())
    expect(status).toMatchObject({
      code: 'complete',
      output: { exact: { match: { true_count: 4, true_fraction: 4 / 6 } }, near: { match: { true_count: 6 } } },
    })
    const trials = calls.filter((call) => nameOf(call) === 'Evaluation.predict_and_score')
    expect(trials).toHaveLength(6)
    expect(new Set(trials.map(({ inputs }) => inputs['example']))).toHaveProperty('size', 3)
  })

  test('sums up its rows in the order of the dataset, whichever ends first', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    reply = async ({ messages }) => {
      if (messages.at(-1)?.content === 'first') await held
      else release()
      return { content: messages.at(-1)?.content === 'first' ? '{"ok": true}' : '{"ok": 5}' }
    }
    const model = await aModel({ default_params: { response_format: 'json_object' } })
    const { status } = await run(await anEvaluation([{ user_input: 'first' }, { user_input: 'second' }], []), model)
    // The first value says what a column holds.
    expect(status).toMatchObject({ output: { output: { ok: { true_count: 1 } } } })
  })

  test('leaves scores as feedback on the predictions', async () => {
    const exact = await aScorer('exact', 'ExactMatchScorer')
    const { calls } = await run(await anEvaluation([{ user_input: 'q', expected: 'answer to q' }], [exact]), await aModel())
    const { result } = await client.feedback.query({ project_id })
    const predicted = calls.find((call) => nameOf(call) === 'LLMStructuredCompletionModel.predict')
    const scored = calls.find((call) => nameOf(call) === 'ExactMatchScorer.score')
    expect(result).toMatchObject([
      {
        weave_ref: `weave:///${project_id}/call/${predicted?.id}`,
        feedback_type: 'wandb.runnable.exact',
        payload: { output: { match: true } },
        runnable_ref: exact,
        call_ref: `weave:///${project_id}/call/${scored?.id}`,
        wb_user_id: 'tester',
      },
    ])
  })

  test('continues behind a model that fails, without scores for the row, and behind a scorer that fails', async () => {
    reply = ({ messages }) => (messages.at(-1)?.content === 'bad' ? { status: 400, error: 'no such thing' } : { content: 'fine' })
    const evaluation = await anEvaluation(
      [{ user_input: 'bad', expected: 'fine' }, { user_input: 'a' }, { user_input: 'b', expected: 'fine' }],
      [await aScorer('exact', 'ExactMatchScorer')],
    )
    const { status, calls } = await run(evaluation, await aModel())
    expect(status).toMatchObject({ code: 'complete', output: { exact: { match: { true_count: 1, true_fraction: 1 / 3 } } } })
    const trials = calls.filter((call) => nameOf(call) === 'Evaluation.predict_and_score')
    expect(trials.map(({ output, exception }) => [output, exception])).toEqual(
      expect.arrayContaining([
        [{ output: null, scores: {}, model_latency: expect.any(Number) }, null],
        [null, expect.stringContaining('no column "expected"')],
      ]),
    )
    expect(calls.find(({ exception }) => exception === 'ModelError: no such thing')).toBeDefined()
  })

  test.each<[string, unknown]>([
    ['an op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {} }],
    ['an op inside of a value', { steps: [{ _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {} }] }],
  ])('refuses a row that holds %s, and asks no model about it', async (_what, tool) => {
    const { status, calls } = await run(await anEvaluation([{ user_input: 'a', tool }, { user_input: 'b' }], []), await aModel())
    expect(status).toMatchObject({ code: 'complete' })
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(['b'])
    const refused = calls.filter(({ exception }) => exception)
    expect(refused.map((call) => [nameOf(call), call.exception])).toEqual([
      ['Evaluation.predict_and_score', expect.stringContaining('column "tool" of the row holds an op')],
    ])
  })

  test('shows rows as they are completed, then is complete', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    reply = async ({ messages }) => {
      if (messages.at(-1)?.content === 'slow') await held
      return { content: 'x' }
    }
    const evaluation = await anEvaluation([{ user_input: 'quick' }, { user_input: 'slow' }], [])
    const { call_id } = await client.evaluations.evaluateModel({ project_id, evaluation_ref: evaluation, model_ref: await aModel() })
    await expect.poll(() => statusOf(call_id)).toEqual({ code: 'running', completed_rows: 1, total_rows: 2 })
    release()
    expect(await ended(call_id)).toMatchObject({ code: 'complete' })
  })

  test('that a stop of its server interrupts is completed by the next one, each row once', async () => {
    const stopped = await app.anotherServer({ providers: providersOf(), jobQueue: 'interrupted' })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    reply = async ({ messages }) => {
      if (messages.at(-1)?.content === 'slow') await held
      return { content: 'x' }
    }
    const exact = await aScorer('exact', 'ExactMatchScorer')
    const rows = [...Array.from({ length: 5 }, (_, n) => ({ user_input: `q${n}`, expected: 'x' })), { user_input: 'slow', expected: 'x' }]
    const refs = { evaluation_ref: await anEvaluation(rows, [exact]), model_ref: await aModel() }
    const { call_id } = await stopped.client.evaluations.evaluateModel({ project_id, ...refs })
    await expect.poll(() => statusOf(call_id, stopped.client)).toMatchObject({ completed_rows: 5 })
    await stopped.service.close()
    release()
    const next = await app.anotherServer({ providers: providersOf(), jobQueue: 'interrupted' })
    const output = { exact: { match: { true_count: 6, true_fraction: 1 } } }
    expect(await ended(call_id, next.client)).toMatchObject({ code: 'complete', output })
    const { calls } = await client.calls.query({ project_id })
    expect(calls).toHaveLength(1 + 6 * 3 + 2)
    expect(calls.find(({ id }) => id === call_id)?.summary).toMatchObject({ status_counts: { success: 21, error: 0 } })
    expect((await client.feedback.query({ project_id })).result).toHaveLength(6)
  })

  test('is tried again where the provider is busy', async () => {
    let busy = 1
    reply = () => (busy-- > 0 ? { status: 429, error: 'later' } : { content: 'x' })
    const { status } = await run(await anEvaluation([{ user_input: 'a' }], []), await aModel())
    expect([status.code, asked.length]).toEqual(['complete', 2])
  })

  test.each<[string, () => Promise<{ evaluation?: string; model?: string }>, RegExp]>([
    ['an evaluation that is not there', async () => ({ evaluation: `weave:///${project_id}/object/none:latest` }), /not found/],
    [
      'an op in place of the evaluation',
      async () => ({ evaluation: `weave:///${project_id}/op/x:latest` }),
      /not a reference to an object/,
    ],
    [
      'another class in place of the evaluation',
      async () => ({ evaluation: await publish('x', classes('Dataset')) }),
      /is not an Evaluation/,
    ],
    ['an object of another project', async () => ({ evaluation: 'weave:///other/project/object/x:latest' }), /another project/],
    [
      'a model with code',
      async () => ({ model: await publish('x', { ...classes('Own', 'Model') }) }),
      /not an LLMStructuredCompletionModel/,
    ],
    [
      'a scorer with code',
      async () => ({ evaluation: await anEvaluation([], [await aScorer('own', 'OwnScorer')]) }),
      /OwnScorer do not run on the server/,
    ],
  ])('of %s fails with the reason in its call', async (_what, make, reason) => {
    const { evaluation = await anEvaluation([], []), model = await aModel() } = await make()
    const { call_id, status, calls } = await run(evaluation, model)
    expect(status).toEqual({ code: 'failed', error: expect.stringMatching(reason) })
    expect(calls).toMatchObject([{ id: call_id, exception: expect.stringMatching(reason), op_name: 'Evaluation.evaluate' }])
  })

  test('is refused without a model provider', async () => {
    const server = await app.anotherServer({ providers: createModelProviders([], undefined) })
    const refs = { evaluation_ref: 'x', model_ref: 'y' }
    await expect(server.client.evaluations.evaluateModel({ project_id, ...refs })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Evaluate model dispatcher is not set'),
    })
    await expect(server.client.scores.scoreCalls({ project_id, call_ids: [], scorer_refs: [] })).rejects.toMatchObject({ status: 400 })
  })
})

describe('the status of an evaluation', () => {
  test('is unknown for an id of no call, and refused for a call of another kind', async () => {
    expect(await statusOf('nope')).toEqual({ code: 'not_found' })
    const { id } = await client.calls.start({
      start: { project_id, op_name: 'other', started_at: '2026-01-01T00:00:00Z', inputs: {}, attributes: {} },
    })
    await expect(statusOf(id)).rejects.toMatchObject({ status: 400, message: 'Call is not an evaluation' })
  })

  test('of a running run counts its ended trials, those of subclasses of evaluations too, and no other calls below it', async () => {
    const started = { project_id, trace_id: newId(), started_at: '2026-01-01T00:00:00Z', inputs: {}, attributes: {} }
    const { id } = await client.calls.start({ start: { ...started, op_name: 'Evaluation.evaluate' } })
    for (const op_name of ['Evaluation.predict_and_score', 'Mine.predictAndScore', 'Evaluation.summarize']) {
      const below = await client.calls.start({ start: { ...started, parent_id: id, op_name } })
      await client.calls.end({ end: { project_id, id: below.id, ended_at: '2026-01-01T00:00:01Z', summary: {} } })
    }
    await client.calls.start({ start: { ...started, parent_id: id, op_name: 'Evaluation.predict_and_score' } })
    expect(await statusOf(id)).toEqual({ code: 'running', completed_rows: 2, total_rows: 2 })
  })

  test('counts trials that name another trace, as the results do', async () => {
    const started = { project_id, started_at: '2026-01-01T00:00:00Z', inputs: {}, attributes: {} }
    const { id } = await client.calls.start({ start: { ...started, op_name: 'Evaluation.evaluate' } })
    const below = await client.calls.start({ start: { ...started, parent_id: id, op_name: 'Evaluation.predict_and_score' } })
    await client.calls.end({ end: { project_id, id: below.id, ended_at: '2026-01-01T00:00:01Z', summary: {} } })
    expect(await client.evalResults.query({ ...place, evaluation_call_ids: [id] })).toMatchObject({ total_rows: 1 })
    expect(await statusOf(id)).toEqual({ code: 'running', completed_rows: 1, total_rows: 1 })
  })

  test('counts the rows of the dataset once for all trials, and none where the dataset is not found', async () => {
    const totalOf = async (inputs: Record<string, unknown>) => {
      const { id } = await client.calls.start({
        start: { project_id, op_name: 'Evaluation.evaluate', started_at: '2026-01-01T00:00:00Z', inputs, attributes: {} },
      })
      const status = await statusOf(id)
      return status.code === 'running' ? status.total_rows : status
    }
    const evaluation = await anEvaluation([{ n: 1 }, { n: 2 }, { n: 3 }], [], 4)
    expect(await totalOf({ self: evaluation, model: 'm' })).toBe(3)
    const unknown = [{}, { self: { dataset: [] } }, { self: 'text' }, { self: `weave:///${project_id}/object/none:v0` }]
    const foreign = { self: evaluation.replace(project_id, app.newProject()) }
    expect(await Promise.all([...unknown, foreign].map(totalOf))).toEqual([0, 0, 0, 0, 0])
    await client.datasets.delete({ ...place, object_id: 'set' })
    expect(await totalOf({ self: evaluation })).toBe(0)
  })

  test('of a run that a client makes has its output, an output that is not an object under `output`, and none as empty', async () => {
    const runs = await Promise.all(
      [null, 7, { a: 1 }].map(async (output) => {
        const { id } = await client.calls.start({
          start: { project_id, op_name: 'Evaluation.evaluate', started_at: '2026-01-01T00:00:00Z', inputs: {}, attributes: {} },
        })
        expect(await statusOf(id)).toEqual({ code: 'running', completed_rows: 0, total_rows: 0 })
        await client.calls.end({ end: { project_id, id, ended_at: '2026-01-01T00:00:01Z', output, summary: {} } })
        return statusOf(id)
      }),
    )
    expect(runs).toEqual([{}, { output: 7 }, { a: 1 }].map((output) => ({ code: 'complete', output })))
  })
})

describe('scores of calls on the server', () => {
  const aCall = async (inputs: Record<string, unknown>, output: unknown) => {
    const { id } = await client.calls.start({
      start: { project_id, op_name: 'ask', started_at: '2026-01-01T00:00:00Z', inputs, attributes: {} },
    })
    await client.calls.end({ end: { project_id, id, ended_at: '2026-01-01T00:00:01Z', output, summary: {} } })
    return id
  }

  test('are feedback on each call and a call of their own, for each scorer', async () => {
    const exact = await aScorer('exact', 'ExactMatchScorer')
    const pattern = await aScorer('pattern', 'RegexScorer', { pattern: 'a$' })
    const calls = [await aCall({ expected: 'a' }, 'a'), await aCall({ expected: 'a' }, 'b')]
    await client.scores.scoreCalls({ project_id, call_ids: [...calls, 'gone'], scorer_refs: [exact, pattern] })
    const feedback = await vi.waitFor(
      async () => {
        const { result } = await client.feedback.query({ project_id })
        expect(result).toHaveLength(4)
        return result
      },
      { timeout: 60_000 },
    )
    const found = feedback.map(({ weave_ref, feedback_type, payload }) => [weave_ref, feedback_type, payload])
    expect(found).toEqual(
      expect.arrayContaining(
        calls.flatMap((id, at) =>
          ['exact', 'pattern'].map((name) => [
            `weave:///${project_id}/call/${id}`,
            `wandb.runnable.${name}`,
            { output: { match: at === 0 } },
          ]),
        ),
      ),
    )
    const { calls: all } = await client.calls.query({ project_id })
    const scores = all.filter(({ attributes }) => (attributes['weave'] as { score?: string } | undefined)?.score === 'true')
    expect(scores).toHaveLength(4)
    expect(new Set(scores.map(({ trace_id }) => trace_id)).size).toBe(4)
  })

  test('by a judge follow from the inputs and the output of the call, and are made again when they are requested again', async () => {
    reply = () => ({ content: '{"score": 9}' })
    const judge = await aJudge({ scoring_prompt: 'Judge {output} for {question}' })
    const request = { project_id, call_ids: [await aCall({ question: 'why' }, 'because')], scorer_refs: [judge] }
    for (const times of [1, 2]) {
      expect(await client.scores.scoreCalls(request)).toEqual({})
      await vi.waitFor(async () => expect((await client.feedback.query({ project_id })).result).toHaveLength(times), { timeout: 60_000 })
    }
    expect(asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(['Judge because for why', 'Judge because for why'])
    const { result } = await client.feedback.query({ project_id })
    expect(result.map(({ payload }) => payload)).toEqual([{ output: { score: 9 } }, { output: { score: 9 } }])
  })

  test('of no calls by no scorers are none', async () => {
    expect(await client.scores.scoreCalls({ project_id, call_ids: [], scorer_refs: [] })).toEqual({})
  })

  test('that fail, and those of scorers that do not run, have a call with the exception and no feedback', async () => {
    const id = await aCall({}, 'a')
    const refs = [await aScorer('exact', 'ExactMatchScorer'), await aScorer('own', 'OwnScorer'), `weave:///${project_id}/object/gone:v0`]
    await client.scores.scoreCalls({ project_id, call_ids: [id], scorer_refs: refs })
    const found = await vi.waitFor(
      async () => {
        const { calls } = await client.calls.query({ project_id })
        const scores = calls.filter(({ exception }) => exception)
        expect(scores).toHaveLength(3)
        return scores.map(({ op_name, exception, attributes }) => [nameOf({ op_name } as never), exception, attributes['weave']])
      },
      { timeout: 60_000 },
    )
    const marks = (scorer: string | undefined) => expect.objectContaining({ prediction_id: id, scorer })
    expect(found).toEqual(
      expect.arrayContaining([
        ['ExactMatchScorer.score', expect.stringContaining('no column "expected"'), marks(refs[0])],
        ['own.score', expect.stringContaining('OwnScorer do not run on the server'), marks(refs[1])],
        ['gone.score', expect.stringContaining('was not found'), marks(refs[2])],
      ]),
    )
    expect((await client.feedback.query({ project_id })).result).toEqual([])
  })

  test.each([[{ call_ids: Array(1_001).fill('x'), scorer_refs: [] }], [{ call_ids: [], scorer_refs: Array(11).fill('x') }]])(
    'of too many calls or by too many scorers are refused',
    async (request) => {
      await expect(client.scores.scoreCalls({ project_id, ...request })).rejects.toMatchObject({ status: 400 })
    },
  )
})
