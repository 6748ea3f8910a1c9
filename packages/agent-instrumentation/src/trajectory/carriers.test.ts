import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import type { RecordedGroup } from './recorded.ts'

interface Bundler {
  rolldown(options: object): Promise<{ generate(options: object): Promise<{ output: { code?: string }[] }>; close(): Promise<void> }>
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-copies-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The package in both forms, made by the bundler of the build. */
async function bundleCopies(): Promise<string[]> {
  const { rolldown } = createRequire(createRequire(import.meta.url).resolve('tsdown'))('rolldown') as Bundler
  const build = await rolldown({ input: fileURLToPath(new URL('../index.ts', import.meta.url)), platform: 'node', logLevel: 'silent' })
  const paths: string[] = []
  for (const [format, name] of [
    ['esm', 'copy.mjs'],
    ['cjs', 'copy.cjs'],
  ] as const) {
    const { output } = await build.generate({ format, codeSplitting: false })
    paths.push(join(folder, name))
    await writeFile(join(folder, name), output[0]?.code ?? '')
  }
  await build.close()
  return paths
}

test('attempts continue in the other copy of the package, a thread, a process and a service, each in its own trajectory', async () => {
  const program = fileURLToPath(new URL('programs/main.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...(await bundleCopies())])
  const { trajectories } = JSON.parse(stdout) as RecordedGroup
  const histories = trajectories.map((one) =>
    [one, ...one.additional_histories].map(({ messages_and_choices: [question, choice] }) => [question, choice]),
  )
  for (const [index, trajectory] of trajectories.entries()) {
    const said = ['copy', 'thread', 'process', 'service'].map((name) => [
      { role: 'user', content: `${name} of ${index}` },
      expect.objectContaining({ message: { role: 'assistant', content: `${name} of ${index}!` }, logprobs: expect.any(Object) }),
    ])
    expect(histories[index]).toEqual(said)
    expect(trajectory).toMatchObject({ reward: index, metrics: { thread: 1, process: 1, service: 1 } })
  }
})

describe('what is handed over', () => {
  const agent = createAgentTracing({ environment: {} })

  test('a part of another trajectory, and any other text, is misuse that names the trajectory', async () => {
    const [one, other] = [agent.group().start(), agent.group().start()]
    const part = await agent.continueTrajectory(one.toCarrier()).finish()
    expect(() => other.join(part)).toThrow(`trajectory ${other.id}: the part belongs to trajectory ${one.id}`)
    expect(() => one.join('{}')).toThrow(`trajectory ${one.id}: join takes the text that finish()`)
  })

  test('a reward that was given elsewhere is that of the attempt, and what comes after its end is ignored', async () => {
    const group = agent.group()
    const trajectory = group.start()
    const [early, late] = [agent.continueTrajectory(trajectory.toCarrier()), agent.continueTrajectory(trajectory.toCarrier())]
    early.reward(0.5)
    trajectory.join(await early.finish())
    await trajectory.finish()
    late.reward(1)
    trajectory.join(await late.finish())
    expect(group.recorded().trajectories).toMatchObject([{ reward: 0.5 }])
  })

  test('a carrier fits into headers, and one that is not whole is refused by the name of what is missing', () => {
    const carrier = agent.group().start().toCarrier()
    expect(agent.continueTrajectory(Object.fromEntries(new Headers(carrier))).toCarrier()).toEqual(carrier)
    const { 'x-heddle-group-id': _group, ...rest } = carrier
    expect(() => agent.continueTrajectory(rest)).toThrow('the carrier of a trajectory has no x-heddle-group-id')
  })
})
