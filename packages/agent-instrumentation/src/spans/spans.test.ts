import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { runPendingWork } from '../context/pending-work.ts'
import { createModelEndpoint } from '../testing/model-endpoint.ts'
import { recordSpans } from '../testing/record-spans.ts'
import { TrajectorySpanProcessor } from '../trajectory/trajectory-span-processor.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new TrajectorySpanProcessor(), new SimpleSpanProcessor(exporter)] })

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
})
afterAll(async () => {
  trace.disable()
  context.disable()
  await provider.shutdown()
})
beforeEach(() => exporter.reset())

async function attemptWithTool(options: { captureContent?: boolean } = {}) {
  const endpoint = createModelEndpoint(() => ({ pieces: ['se', 'cret'] }), { 'x-model-step': '2' })
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'm', ...options })
  const client = agent.wrapOpenAI(new OpenAI({ baseURL: 'http://127.0.0.1:7400/v1', apiKey: 'none', fetch: endpoint.fetch }))
  const group = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    trace.getTracer('of the program').startSpan('tool').end()
    await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'q' }] })
    trajectory.reward(0.75, { source: 'unit-test' })
  })
  const spans = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]))
  return { trajectory: group.trajectories[0], spans, agent }
}

test('an attempt is one trace: its span is the parent of every other, and all carry its ids', async () => {
  const { trajectory, spans, agent } = await attemptWithTool()
  const root = spans.get('trajectory')
  expect([...spans.keys()].toSorted()).toEqual(['chat m', 'tool', 'trajectory'])
  for (const name of ['chat m', 'tool']) expect(spans.get(name)?.parentSpanContext?.spanId).toBe(root?.spanContext().spanId)
  for (const span of spans.values())
    expect(span.attributes).toMatchObject({
      'heddle.rollout_id': agent.rolloutId,
      'heddle.group_id': trajectory?.metadata['group_id'],
      'heddle.trajectory_id': trajectory?.metadata['trajectory_id'],
      'heddle.attempt_index': 0,
    })
})

test('the trajectory names its trace, and each choice its span', async () => {
  const { trajectory, spans } = await attemptWithTool()
  const root = spans.get('trajectory')?.spanContext()
  expect(trajectory?.metadata).toMatchObject({ trace_id: root?.traceId, root_span_id: root?.spanId })
  expect(trajectory?.messages_and_choices[1]).toMatchObject({ span_id: spans.get('chat m')?.spanContext().spanId })
})

test('the span of a model call says which policy made which choice, with what it cost', async () => {
  const { spans } = await attemptWithTool()
  expect(spans.get('chat m')?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.output_tokens': 2,
    'gen_ai.usage.input_tokens': 1,
    'heddle.choice_index': 0,
    'heddle.policy.model': 'm',
    'heddle.policy.version': 2,
  })
})

test('the reward is on the span of the attempt, and an event that other backends know', async () => {
  const { spans } = await attemptWithTool()
  const root = spans.get('trajectory')
  expect(root?.attributes).toMatchObject({
    'heddle.reward.value': 0.75,
    'heddle.reward.name': 'reward',
    'heddle.reward.source': 'unit-test',
  })
  expect(root?.events).toMatchObject([{ name: 'gen_ai.evaluation.result', attributes: { 'gen_ai.evaluation.score.value': 0.75 } }])
})

test('messages are on spans unless that is switched off', async () => {
  const shown = await attemptWithTool()
  expect(shown.spans.get('chat m')?.attributes['gen_ai.output.messages']).toContain('secret')
  exporter.reset()
  const hidden = await attemptWithTool({ captureContent: false })
  expect(JSON.stringify([...hidden.spans.values()].map(({ attributes }) => attributes))).not.toContain('secret')
  expect(JSON.stringify(hidden.trajectory)).toContain('secret')
})

test.each([
  { when: 'a flush', before: () => provider.forceFlush(), stream: false },
  { when: 'a flush', before: () => provider.forceFlush(), stream: true },
  {
    when: 'the exit of the process',
    before: () => process.listeners('exit').find((listener) => listener === runPendingWork)?.(0),
    stream: true,
  },
])('$when has the span of a call that has just ended, with the time of its end (stream: $stream)', async ({ before, stream }) => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  try {
    const endpoint = createModelEndpoint(() => ({ pieces: ['yes'] }))
    await using trajectory = createAgentTracing({ environment: {}, fetch: endpoint.fetch }).group({ attempts: 1 }).start()
    const body = JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'q' }] })
    const response = await trajectory.fetch('http://models.invalid/v1/chat/completions', { method: 'POST', body })
    clock.mockReturnValue(1_007)
    if (stream) await response.text()
    clock.mockReturnValue(9_000)
    await before()
    const call = exporter.getFinishedSpans().find(({ name }) => name === 'chat m')
    expect(call?.attributes['gen_ai.output.messages']).toContain('yes')
    const [seconds = 0, nanoseconds = 0] = call?.duration ?? []
    // The tracer adds the clocks as floating-point milliseconds since 1970, which are exact to about 0.25 µs.
    expect(seconds * 1000 + nanoseconds / 1e6).toBeCloseTo(stream ? 7 : 0, 2)
  } finally {
    clock.mockRestore()
  }
})

test('the spans of the package carry the ids of their attempt without a processor, also where the context is lost and where another process continues it', async () => {
  trace.disable()
  context.disable()
  try {
    const endpoint = createModelEndpoint(() => ({ pieces: ['yes'] }))
    const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch })
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'q' }] })
    const ask = (send: typeof fetch) => send('http://models.invalid/v1/chat/completions', { method: 'POST', body })
    const { result: trajectory, spans } = await recordSpans(async () => {
      const attempt = agent.group({ attempts: 1 }).start()
      await attempt.run(() => ask(agent.fetch))
      await ask(attempt.fetch)
      const part = agent.continueTrajectory(attempt.toCarrier())
      await part.run(() => ask(agent.fetch))
      attempt.join(await part.finish())
      attempt.reward(1)
      await attempt.finish()
      return attempt
    })
    expect(spans.map(({ name }) => name)).toEqual(['chat m', 'chat m', 'chat m', 'trajectory'])
    for (const span of spans)
      expect(span.attributes).toMatchObject({
        'heddle.trajectory_id': trajectory.id,
        'heddle.group_id': trajectory.groupId,
        'heddle.rollout_id': trajectory.rolloutId,
        'heddle.attempt_index': 0,
      })
  } finally {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(provider)
  }
})

test('spans outside of a trajectory carry no ids', () => {
  trace.getTracer('of the program').startSpan('alone').end()
  expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({})
})
