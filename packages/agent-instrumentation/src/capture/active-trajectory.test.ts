import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { activeTrajectory } from './active-trajectory.ts'

const agent = createAgentTracing({ environment: {} })

type Look = () => void
const ways: [string, (look: Look) => unknown][] = [
  ['a timer', (look) => new Promise<void>((resolve) => setTimeout(() => resolve(look()), 0))],
  ['an immediate', (look) => new Promise<void>((resolve) => setImmediate(() => resolve(look())))],
  ['a tick', (look) => new Promise<void>((resolve) => process.nextTick(() => resolve(look())))],
  ['a microtask', (look) => new Promise<void>((resolve) => queueMicrotask(() => resolve(look())))],
  ['a thenable that begins when it is awaited', async (look) => await new Late(look)],
  ['the events of a stream', (look) => once(Readable.from(['x']).on('data', look), 'end')],
  [
    'a generator that is read inside',
    async (look) => {
      for await (const _ of steps(look)) look()
    },
  ],
  [
    'what is awaited together',
    (look) => Promise.all([Promise.resolve().then(look), new Promise((resolve) => setImmediate(resolve)).then(look)]),
  ],
]

/** Begins when its `then` is called, as the queries of some database clients do. */
class Late implements PromiseLike<void> {
  readonly #look: Look

  constructor(look: Look) {
    this.#look = look
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then: PromiseLike<void>['then'] = (resolve, reject) =>
    Promise.resolve()
      .then(() => this.#look())
      .then(resolve, reject)
}

async function* steps(look: Look) {
  look()
  yield
  await Promise.resolve()
  look()
}

test.each(ways)('%s belongs to the attempt that it runs in, of those that run at once', async (_, work) => {
  const { trajectories } = await agent.group({ attempts: 3 }).run(async (trajectory) => {
    const seen = new Set<string | undefined>()
    await work(() => void seen.add(activeTrajectory()?.id))
    expect([...seen]).toEqual([trajectory.id])
    trajectory.reward(1)
  })
  expect(trajectories).toHaveLength(3)
  expect(activeTrajectory()).toBeUndefined()
})

test('a generator that is read outside belongs to nothing, but for its next, which bind gives the attempt', async () => {
  await using trajectory = agent.group({ attempts: 1 }).start()
  const seen: (string | undefined)[] = []
  const begin = () => trajectory.run(() => steps(() => void seen.push(activeTrajectory()?.id)))
  await begin().next()
  const bound = begin()
  await trajectory.bind(() => bound.next())()
  expect(seen).toEqual([undefined, trajectory.id])
})
