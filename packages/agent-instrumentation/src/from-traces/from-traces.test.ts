import type { Call } from '@heddle/core-api/types'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupKeyOf, parseGroupBy } from './attempts/group-key.ts'
import { collectGroups, type CollectOptions } from './collect-groups.ts'
import { planTraining } from './plan-training.ts'
import type { TracingClient } from './attempts/read-traces.ts'
import { splitAttempts } from './attempts/split-attempts.ts'
import { toTrajectory, type ToTrajectoryOptions } from './attempts/to-trajectory.ts'

const logprobs = { content: [{ token: 'token_id:1', logprob: -0.5, bytes: null, top_logprobs: [] }], refusal: null }
const choice = (content: string) => ({ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, logprobs })
const user = (content: string) => ({ role: 'user', content })

let made = 0
function aCall(fields: Record<string, unknown> = {}): Call {
  const id = `call-${made++}`
  const at = new Date(Date.UTC(2026, 0, 1) + made * 1_000).toISOString()
  const empty = { parent_id: null, exception: null, inputs: {}, output: null, attributes: {}, summary: {} }
  return { id, project_id: 'e/p', op_name: 'op', trace_id: 't', started_at: at, ended_at: at, ...empty, ...fields } as unknown as Call
}

const modelCall = (messages: object[], answer: object, fields = {}) =>
  aCall({ inputs: { messages }, output: { choices: [answer] }, ...fields })

const kept: ToTrajectoryOptions = { isPolicy: () => true, keepFailed: false }

function built(calls: Call[], options = kept) {
  const [attempt] = splitAttempts(calls, undefined)
  const made = attempt && toTrajectory(attempt, options)
  if (typeof made !== 'object') throw new Error(String(made))
  return made.trajectory
}

test.each([
  ['of a call', { task: 'sums' }, 'attributes.task'],
  ['of a span', { otel_span: { attributes: { task: 'sums' } } }, 'attributes.task'],
  ['of a span, with a dot in its name', { otel_span: { attributes: { app: { task: 'sums' } } } }, 'attributes.app.task'],
  ['of a span, by its whole path', { otel_span: { attributes: { task: 'sums' } } }, 'attributes.otel_span.attributes.task'],
])('attempts are grouped by an attribute %s', (_place, attributes, path) => {
  const call = modelCall([user('a')], choice('1'), { attributes })
  const [attempt] = splitAttempts([call], undefined)
  expect(attempt && groupKeyOf(attempt, built([call]), parseGroupBy(path))).toBe('sums')
})

describe('a trajectory from its model calls', () => {
  test('holds every message and choice once, whatever the number of turns', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), { minLength: 1, maxLength: 8 }), (turns) => {
        const said: object[] = []
        const calls = turns.map(([question, answer]) => {
          said.push(user(question))
          const call = modelCall([...said], choice(answer))
          said.push({ role: 'assistant', content: answer })
          return call
        })
        const { messages_and_choices: elements, additional_histories: others } = built(calls)
        expect(elements.map((element) => messageOf(element))).toEqual(said)
        expect(elements.filter(isChoice).map((one) => one['span_id'])).toEqual(calls.map(({ id }) => id))
        expect(others).toEqual([])
      }),
    )
  })

  test('puts a branch into additional histories', () => {
    const first = modelCall([user('a')], choice('1'))
    const retry = modelCall([user('b')], choice('2'))
    expect(built([first, retry])).toMatchObject({ additional_histories: [{ messages_and_choices: [user('b'), choice('2')] }] })
  })

  test('takes a stream that was left as context, which no job would take as a choice', () => {
    const left = { ...choice('half an'), finish_reason: null }
    const whole = modelCall([user('a')], choice('1'))
    expect(built([whole, modelCall([user('b')], left)]).additional_histories).toMatchObject([
      { messages_and_choices: [user('b'), left.message] },
    ])
    const [attempt] = splitAttempts([modelCall([user('b')], left)], undefined)
    expect(attempt && toTrajectory(attempt, kept)).toBe('no choice of the policy')
  })

  test('takes the choices, the tools and the policy version that spans carry', () => {
    const tool = { type: 'function', function: { name: 'add' } }
    const span = aCall({
      inputs: { 'gen_ai.input.messages': [user('q')] },
      output: { 'gen_ai.output.messages': [{ role: 'assistant', content: 'a' }] },
      attributes: {
        heddle: { choices: JSON.stringify([choice('a')]), policy: { version: 3, model: 'm' } },
        gen_ai: { tool: { definitions: JSON.stringify([tool]) } },
      },
    })
    expect(built([span])).toMatchObject({
      messages_and_choices: [user('q'), choice('a')],
      tools: [tool],
      initial_policy_version: 3,
      final_policy_version: 3,
    })
  })

  test('has the smallest and the largest step of its weights, whichever call ended first', () => {
    const at = (version: number, ended_at: string) =>
      modelCall([user(`q${version}`)], choice('a'), { ended_at, attributes: { heddle: { policy: { version } } } })
    const calls = [at(7, '2026-01-01T00:09:00Z'), at(9, '2026-01-01T00:02:00Z'), at(8, '2026-01-01T00:03:00Z')]
    expect(built(calls)).toMatchObject({ initial_policy_version: 7, final_policy_version: 9 })
  })

  test('reads messages in parts, with calls of tools and their results', () => {
    const parts = [
      { role: 'user', parts: [{ type: 'text', content: 'q' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'add', arguments: { a: 1 } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 7 }] },
    ]
    const answer = [{ role: 'assistant', parts: [{ type: 'text', content: '7' }], finish_reason: 'stop' }]
    const span = aCall({ inputs: { 'gen_ai.input.messages': parts }, output: { 'gen_ai.output.messages': answer } })
    const { messages_and_choices: elements } = built([span])
    expect(elements).toMatchObject([
      user('q'),
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '7' },
      { message: { role: 'assistant', content: '7' }, logprobs: null },
    ])
  })

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'blocks',
      {
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'q' }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '7' }] },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '7' }] },
    ],
    [
      'contents with parts',
      {
        contents: [
          { role: 'user', parts: [{ text: 'q' }] },
          { role: 'model', parts: [{ functionCall: { id: 'c', name: 'add', args: { a: 1 } } }] },
          { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'add', response: { result: '7' } } }] },
        ],
      },
      { candidates: [{ content: { role: 'model', parts: [{ text: '7' }] } }] },
    ],
    [
      'items of a response',
      {
        input: [
          { role: 'user', content: 'q' },
          { type: 'function_call', call_id: 'c', name: 'add', arguments: '{"a":1}' },
          { type: 'function_call_output', call_id: 'c', output: '7' },
        ],
      },
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '7' }] }] },
    ],
  ])('reads %s of other providers', (_convention, inputs, output) => {
    expect(built([aCall({ inputs, output })]).messages_and_choices).toMatchObject([
      user('q'),
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c', content: '7' },
      { message: { role: 'assistant', content: '7' }, finish_reason: 'stop', logprobs: null },
    ])
  })

  test('takes a completion that two libraries recorded once', () => {
    const outer = modelCall([user('q')], choice('a'))
    const inner = modelCall([user('q')], choice('a'), { parent_id: outer.id })
    const { messages_and_choices: elements, additional_histories: others } = built([outer, inner])
    expect([elements.length, others]).toEqual([2, []])
    expect(elements[1]).toMatchObject({ span_id: inner.id })
  })

  test('keeps what another model said as context', () => {
    const judge = modelCall([user('judge')], choice('9'), { inputs: { model: 'other', messages: [user('judge')] } })
    const policy = modelCall([user('q')], choice('a'), { inputs: { model: 'policy', messages: [user('q')] } })
    const { messages_and_choices: main, additional_histories: more } = built([judge, policy], {
      ...kept,
      isPolicy: (name) => name === 'policy',
    })
    expect(main.filter(isChoice)).toEqual([])
    expect(more[0]?.messages_and_choices.filter(isChoice)).toHaveLength(1)
  })

  test.each([
    ['not ended', aCall({ ended_at: null })],
    ['failed', modelCall([user('q')], choice('a'), { exception: 'boom' })],
    ['no model call', aCall()],
  ])('is not made of an attempt that has %s', (reason, call) => {
    expect(toTrajectory({ id: 'a', root: call, calls: [call] }, kept)).toBe(reason)
  })
})

describe('attempts', () => {
  test('are trajectories, else chosen calls, else rows of evaluations, else traces', () => {
    const evaluation = aCall({ op_name: 'Evaluation.evaluate' })
    const row = aCall({ op_name: 'Evaluation.predict_and_score', parent_id: evaluation.id })
    const predict = aCall({ parent_id: row.id })
    const inTrajectory = aCall({ parent_id: predict.id, attributes: { heddle: { trajectory_id: 'x' } } })
    const below = aCall({ parent_id: inTrajectory.id })
    const other = aCall({ trace_id: 'other' })
    const calls = [evaluation, row, predict, inTrajectory, below, other]
    const ids = (chosen?: Set<string>) => splitAttempts(calls, chosen).map(({ id, calls: all }) => [id, all.length])
    expect(ids()).toEqual([
      [row.id, 2],
      ['x', 2],
      ['other', 1],
    ])
    expect(ids(new Set([predict.id]))).toEqual([
      [predict.id, 1],
      ['x', 2],
    ])
  })

  test('have as root the call above the others, in whichever order they came', () => {
    const root = aCall({ op_name: 'Evaluation.predict_and_score' })
    const child = aCall({ parent_id: root.id })
    expect(splitAttempts([child, root], undefined).map(({ root: { id } }) => id)).toEqual([root.id])
  })
})

describe('a chain of 9,000 calls', () => {
  /** Each call with how often its attributes are read. */
  function aChain(isCircular: boolean) {
    const seen = { reads: 0 }
    const calls = Array.from({ length: 9_000 }, () => modelCall([user(`question ${made}`)], choice('a')))
    calls.forEach((call, at) => {
      const parent_id = at === 0 ? (isCircular ? calls.at(-1)!.id : null) : calls[at - 1]!.id
      Object.assign(call, { parent_id })
      Object.defineProperty(call, 'attributes', {
        get() {
          seen.reads++
          return {}
        },
      })
    })
    return { seen, calls }
  }

  test.each([false, true])('is split in one pass (circular: %s)', (isCircular) => {
    const { seen, calls } = aChain(isCircular)
    expect(splitAttempts(calls, undefined).map((one) => one.calls.length)).toEqual([9_000])
    expect(seen.reads).toBeLessThan(calls.length * 5)
  })

  test('with as many conversations ends at the most that a trajectory has', () => {
    const { seen, calls } = aChain(false)
    const alone = calls.map((call) => Object.assign(call, { parent_id: null }))
    expect(toTrajectory({ id: 'a', root: calls[0]!, calls: alone }, kept)).toBe('too many conversations')
    expect(seen.reads).toBeLessThan(calls.length * 20)
  })
})

describe('groups', () => {
  /** Answers each query with the calls of the traces that it names. */
  function source(calls: Call[]) {
    const batches: number[] = []
    const client = {
      calls: {
        async *streamQuery({ filter }: { filter?: { trace_ids?: string[] } }) {
          const ids = filter?.trace_ids
          if (ids) batches.push(ids.length)
          yield* ids ? calls.filter(({ trace_id }) => ids.includes(trace_id)) : calls.filter(({ parent_id }) => !parent_id)
        },
      },
    } as unknown as TracingClient
    return { source: { client, project: 'e/p' }, batches }
  }

  const options: CollectOptions = { ...kept, filter: {}, groupBy: { by: 'prompt' }, reward: { from: 'recorded' }, withoutLogprobs: false }
  const attempt = (at: number, prompt: string, reward: number) =>
    modelCall([user(prompt)], choice(`${at}`), { trace_id: `t${at}`, attributes: { heddle: { reward: { value: reward } } } })

  test('a hundred traces are read twenty at a time, and every attempt is counted once', async () => {
    const { source: from, batches } = source(Array.from({ length: 100 }, (_, at) => attempt(at, `task ${at % 10}`, at)))
    const collected = await collectGroups(from, options)
    expect(batches).toEqual([20, 20, 20, 20, 20])
    expect(planTraining(collected)).toMatchObject({ traces: 100, groups: 10, trajectories: 100, group_sizes: { 10: 10 }, refused: [] })
  })

  test('more traces than may be read are cut, with a warning', async () => {
    const { source: from } = source(Array.from({ length: 5 }, (_, at) => attempt(at, 'task', at)))
    const collected = await collectGroups(from, { ...options, maxTraces: 3 })
    expect([collected.traces, collected.warnings]).toEqual([3, [expect.stringContaining('only the oldest 3 traces')]])
  })

  test.each<[string, CollectOptions['reward'], string]>([
    [
      'recorded',
      { from: 'recorded' },
      'no attempt has a reward of its own (heddle.reward.value); take rewards from feedback, score:<path>',
    ],
    [
      'feedback',
      { from: 'feedback', type: 'stars', path: 'n' },
      'feedback of type "stars" with a number at "n"; feedback that they have: note',
    ],
    [
      'a score',
      { from: 'score', path: 'no' },
      'a score with a number at "no"; scores of an evaluation that they have: exact.match, length',
    ],
    ['a scorer', { from: 'scorer', scorer: 'no', path: undefined }, 'a score of scorer "no"; scores of scorers that they have: s:v1'],
  ])('where no attempt has a reward from %s, a warning names what there is', async (_, reward, warning) => {
    const feedback = [{ feedback_type: 'note', runnable_ref: 's:v1', payload: {} }]
    const calls = [1, 2].map((at) =>
      modelCall([user('task')], choice(`${at}`), {
        trace_id: `t${at}`,
        op_name: 'Evaluation.predict_and_score',
        output: { choices: [choice('x')], scores: { exact: { match: true, note: 'x' }, length: 3 } },
        summary: { weave: { feedback } },
      }),
    )
    const { warnings } = await collectGroups(source(calls).source, { ...options, reward })
    expect(warnings).toEqual([expect.stringContaining(warning)])
  })

  test('where no trace matches, a warning says so, and that grouping by what was recorded asks for more', async () => {
    const warningsOf = async (recordedOnly: boolean) =>
      (await collectGroups(source([]).source, { ...options, filter: { recordedOnly } })).warnings
    expect(await warningsOf(false)).toEqual(['project e/p has no trace that matches the filter'])
    expect(await warningsOf(true)).toEqual([
      'project e/p has no trace that matches the filter that names its trajectory (heddle.trajectory_id); group by prompt, row or a path for others',
    ])
  })

  test('conversations that are longer than the model takes are left out', async () => {
    const usage = { summary: { usage: { m: { total_tokens: 5_000 } } } }
    const long = modelCall([user('task')], choice('x'), { trace_id: 'long', ...usage, attributes: { heddle: { reward: { value: 3 } } } })
    const { source: from } = source([attempt(1, 'task', 0), attempt(2, 'task', 1), long])
    const plan = planTraining(await collectGroups(from, { ...options, maxTokens: 4_096 }))
    expect(plan).toMatchObject({ trajectories: 2, refused: [{ reason: 'too long', attempts: 1 }] })
  })

  test('tokens that are named in two ways count once', async () => {
    const counts = { prompt_tokens: 2_000, input_tokens: 2_000, completion_tokens: 50, output_tokens: 50 }
    const named = { trace_id: 'named', summary: { usage: { m: counts } }, attributes: { heddle: { reward: { value: 3 } } } }
    const { source: from } = source([attempt(1, 'task', 0), attempt(2, 'task', 1), modelCall([user('task')], choice('x'), named)])
    const plan = planTraining(await collectGroups(from, { ...options, maxTokens: 4_096 }))
    expect(plan).toMatchObject({ trajectories: 3, refused: [] })
  })

  test('a model that takes less than a row makes more gradient steps', async () => {
    const usage = { summary: { usage: { m: { total_tokens: 400 } } } }
    const calls = Array.from({ length: 10 }, (_, at) =>
      modelCall([user('task')], choice('x'), { trace_id: `t${at}`, ...usage, attributes: { heddle: { reward: { value: at } } } }),
    )
    const collected = await collectGroups(source(calls).source, options)
    expect([planTraining(collected).estimated_steps, planTraining(collected, { maxTokens: 512 }).estimated_steps]).toEqual([2, 10])
  })
})
