import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { activeTrajectory } from '../capture/active-trajectory.ts'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import type { Judge } from '../judging/ruler.ts'
import { createModelEndpoint } from '../testing/model-endpoint.ts'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import type { Trajectory } from '../context/trajectory.ts'

const agent = createAgentTracing({ environment: {} })

describe('groups', () => {
  test('every attempt has a context of its own, however they mix', async () => {
    const seen = new Set<string>()
    const group = await agent.group({ attempts: 20, metadata: { scenario_id: 's-1' } }).run(async (trajectory) => {
      for (let turn = 0; turn < 3; turn++) {
        await Promise.all([new Promise((resolve) => setImmediate(resolve)), Promise.resolve()])
        expect(activeTrajectory()?.id).toBe(trajectory.id)
      }
      seen.add(trajectory.id)
      trajectory.reward(trajectory.attemptIndex)
    })
    expect(seen.size).toBe(20)
    expect(group.trajectories.map(({ reward }) => reward)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(group.metadata).toMatchObject({ scenario_id: 's-1', rollout_id: agent.rolloutId })
    expect(activeTrajectory()).toBeUndefined()
  })

  test('attempts of a judged group need no reward, and get that of the judge', async () => {
    const judge: Judge = {
      score: async (group) => ({ ...group, trajectories: group.trajectories.map((one, at) => ({ ...one, reward: at / 2 })) }),
    }
    const group = await agent.group({ attempts: 2, judge }).run(() => undefined)
    expect(group.trajectories.map(({ reward }) => reward)).toEqual([0, 0.5])
  })

  test('no more attempts run at once than are allowed', async () => {
    let running = 0
    let most = 0
    await agent.group({ attempts: 9, concurrency: 2 }).run(async (trajectory) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      trajectory.reward(0)
    })
    expect(most).toBe(2)
  })

  test.each(['attempts', 'concurrency'] as const)('%s that are not a count are refused with the value', (name) => {
    for (const value of [0, -1, 1.5, 1_001, Number.NaN])
      expect(() => agent.group({ [name]: value })).toThrow(`${name} must be a whole number`)
  })

  test('an attempt that throws counts as failed, says why, and does not end the others', async () => {
    const options = { attempts: 3 }
    const attempt = (trajectory: Trajectory) => {
      if (trajectory.attemptIndex === 1) throw new TypeError('tool broke')
      trajectory.reward(1)
    }
    const dropped = await agent.group(options).run(attempt)
    expect(dropped.trajectories).toHaveLength(2)
    expect(dropped.exceptions).toMatchObject([{ type: 'TypeError', message: 'tool broke' }])
    const kept = await agent.group({ ...options, keepFailed: true }).run(attempt)
    expect(kept.trajectories[1]).toMatchObject({
      reward: 0,
      logs: ['failed: TypeError: tool broke'],
      metadata: { error: 'TypeError: tool broke' },
    })
  })

  test('an attempt without a reward is misuse that names the trajectory, after the others have ended', async () => {
    const group = agent.group({ attempts: 3 })
    let id = ''
    const run = group.run((trajectory) => {
      if (trajectory.attemptIndex === 0) id = trajectory.id
      else trajectory.reward(1)
    })
    await expect(run).rejects.toThrow('it has no reward')
    await expect(run).rejects.toMatchObject({ trajectoryId: id })
    expect(group.recorded().trajectories.filter(({ reward }) => reward === 1)).toHaveLength(2)
  })

  test('rewards and metrics that are not numbers are misuse that names the trajectory and the value', () => {
    const trajectory = agent.group().start()
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => trajectory.reward(value)).toThrow(`trajectory ${trajectory.id}: the reward must be a finite number, got ${value}`)
      expect(() => trajectory.metric('m', value)).toThrow('metric "m" must be a finite number')
    }
  })

  test('finishing twice is harmless, and what comes later is ignored', async () => {
    const group = agent.group()
    const trajectory = group.start()
    trajectory.reward(0.5)
    await trajectory.finish()
    trajectory.reward(9)
    trajectory.log('late')
    trajectory.metric('late', 1)
    await trajectory.finish()
    await trajectory[Symbol.asyncDispose]()
    expect(group.recorded().trajectories).toMatchObject([{ reward: 0.5, logs: [], metrics: {} }])
  })

  test('model calls that are under way when an attempt finishes are still recorded, and none that begin later', async () => {
    const endpoint = createModelEndpoint(() => ({ pieces: ['late'] }))
    let letOn = () => {}
    const gate = new Promise<void>((resolve) => (letOn = resolve))
    const slow: typeof fetch = async (input, init) => gate.then(() => endpoint.fetch(input, init))
    const group = createAgentTracing({ environment: {}, fetch: slow }).group()
    const trajectory = group.start()
    const call = (text: string) =>
      trajectory.fetch('https://models.test/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }),
      })
    trajectory.reward(1)
    const underway = call('before')
    const finished = trajectory.finish()
    const later = call('after')
    letOn()
    await Promise.all([underway, finished, later])
    expect(group.recorded().trajectories[0]?.messages_and_choices).toMatchObject([{ content: 'before' }, { message: { content: 'late' } }])
    expect(group.recorded().trajectories[0]?.additional_histories).toEqual([])
  })

  test('an attempt that is disposed of without a reward has failed', async () => {
    const group = agent.group()
    await group.start()[Symbol.asyncDispose]()
    expect(group.recorded()).toMatchObject({ trajectories: [], exceptions: [{ message: 'the attempt ended without a reward' }] })
  })

  test('bind gives the context back where an event emitter loses it', async () => {
    const emitter = new EventEmitter()
    const trajectory = agent.group().start()
    const seen: (string | undefined)[] = []
    emitter.on('plain', () => seen.push(activeTrajectory()?.id))
    emitter.on(
      'bound',
      trajectory.bind(() => seen.push(activeTrajectory()?.id)),
    )
    emitter.emit('plain')
    emitter.emit('bound')
    expect(seen).toEqual([undefined, trajectory.id])
  })

  test('of random attempts with retries, branches and throws, every choice is once in the trajectory that requested it', async () => {
    const endpoint = createModelEndpoint(({ body }, choice) => ({ pieces: [`${String(body.messages.at(-1)?.['content'])}/${choice}`] }))
    const action = fc.record({ keep: fc.boolean(), n: fc.integer({ min: 1, max: 2 }), stream: fc.boolean(), together: fc.boolean() })
    const plan = fc.record({ actions: fc.array(action, { maxLength: 5 }), throws: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 3 }), async (plans) => {
        const tracing = createAgentTracing({ environment: {}, fetch: endpoint.fetch })
        const client = tracing.wrapOpenAI(new OpenAI({ baseURL: 'https://models.test/v1', apiKey: 'none', fetch: endpoint.fetch }))
        const expected = new Map<string, string[]>()
        const group = await tracing.group({ attempts: plans.length, keepFailed: true }).run(async (trajectory) => {
          const { actions, throws } = plans[trajectory.attemptIndex] ?? { actions: [], throws: false }
          const said: string[] = []
          expected.set(trajectory.id, said)
          let messages: OpenAI.ChatCompletionMessageParam[] = []
          const ask = async (text: string, n: number, stream: boolean) => {
            const asked: OpenAI.ChatCompletionMessageParam[] = [...messages, { role: 'user', content: text }]
            if (stream) await client.chat.completions.stream({ model: 'm', messages: asked, n }).finalChatCompletion()
            else await client.chat.completions.create({ model: 'm', messages: asked, n })
            for (let choice = 0; choice < n; choice++) said.push(`${text}/${choice}`)
            return [...asked, { role: 'assistant' as const, content: `${text}/0` }]
          }
          for (const [index, { keep, n, stream, together }] of actions.entries()) {
            const name = `${trajectory.attemptIndex}.${index}`
            const [after] = await Promise.all([ask(name, n, stream), together ? ask(`${name}b`, 1, false) : undefined])
            if (keep) messages = after
          }
          if (throws) throw new Error('random')
          trajectory.reward(1)
        })
        expect(Object.fromEntries(group.trajectories.map((one) => [one.metadata['trajectory_id'], choicesOf(one)]))).toEqual(
          Object.fromEntries([...expected].map(([id, said]) => [id, said.toSorted()])),
        )
      }),
      { numRuns: 25 },
    )
  })
})

function choicesOf(trajectory: RecordedGroup['trajectories'][number]): string[] {
  const histories = [trajectory, ...trajectory.additional_histories]
  const choices = histories.flatMap(({ messages_and_choices: all }) => all.filter(isChoice))
  return choices.map((choice) => String(messageOf(choice)['content'])).toSorted()
}
