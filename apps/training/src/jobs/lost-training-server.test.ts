import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toAdapterFile } from '../checkpoint-files/adapter-config.ts'
import type { Engine } from '../engine/engine.ts'
import { createLaunchedEngine } from '../engine/launchers/launched-engine.ts'
import { type SavedWeights, startTinkerServer, type TinkerServer } from '../engine/tinker/testing/tinker-server.ts'
import { aGroup } from '../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'

/** Every trajectory fills a row, so that a job has four gradient steps. */
const groups = ['a', 'b'].map((letter) => aGroup(letter.repeat(150), 'h'.repeat(150)))
const steps = 4
const experimental_config = { packed_sequence_length: 256, logprob_calculation_chunk_size: 256, seed: 1 }
const adapter = { rank: 4, alpha: 8 }
/** A recovery point after each step. */
const runLimits = { recoverySteps: 1, recoveryShare: 1, recoveryBytesPerSecond: Infinity }

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp()
})
afterAll(() => app.close())

/** The table under the names that training servers give to the files of an adapter. */
function asAdapter(engine: Engine): Engine {
  return {
    ...engine,
    baseModels: async () => (await engine.baseModels()).map((model) => ({ ...model, adapter })),
    async openTraining(options, signal) {
      const session = await engine.openTraining(options, signal)
      return {
        forward: (batch, own) => session.forward(batch, own),
        backward: (coefficients, own) => session.backward(coefficients, own),
        step: (optimizer, own) => session.step(optimizer, own),
        async saveCheckpoint(folder, own) {
          await session.saveCheckpoint(folder, own)
          await writeFile(join(folder, 'adapter_config.json'), JSON.stringify(toAdapterFile(adapter, 'table')))
          await writeFile(join(folder, 'adapter_model.safetensors'), await readFile(join(folder, 'table.json')))
        },
        saveState: (folder, own) => session.saveState(folder, own),
        close: () => session.close(),
      }
    },
  }
}

/** A cluster that runs a training server and, once that is gone, another one: each dies at a request of its number, counted from 1. */
function aCluster(dies: (server: number) => { path: string; request: number } | null) {
  const engine = asAdapter(app.engine)
  const saved = new Map<string, SavedWeights>()
  const servers: TinkerServer[] = []
  let running: TinkerServer | null = null
  const deaths: Promise<void>[] = []

  function faultOf(server: number) {
    const death = dies(server)
    let seen = 0
    return (path: string) => {
      if (path !== death?.path || ++seen !== death.request) return undefined
      deaths.push(running!.close())
      running = null
      return 0
    }
  }

  const launcher = {
    place: 'a cluster',
    servers: async () => [],
    shortenOutput: async () => undefined,
    async start() {
      running = await startTinkerServer({ engine, folder: app.folder, saved, fault: faultOf(servers.length + 1) })
      servers.push(running)
      return 'started' as const
    },
    state: async () => (running ? ({ kind: 'running', address: running.url } as const) : ({ kind: 'ended', reason: 'killed' } as const)),
    async stop() {
      await running?.close()
      running = null
    },
  }
  return { launcher, servers, deaths }
}

/** A server of the service that trains on such a cluster. */
async function start(dies: Parameters<typeof aCluster>[0]) {
  const { launcher, servers, deaths } = aCluster(dies)
  let ready = 0
  const nextIsReady = async () => {
    while (ready <= deaths.length) await pause(20)
  }
  const engine = createLaunchedEngine({
    launcher,
    limits: { startMs: 60_000, startsPerHour: 100 },
    stopsAtEnd: true,
    onEvent: ({ kind }) => void (kind === 'ready' && ready++),
    sleep: async (_, signal) => void (await pause(20, undefined, { signal }).catch(() => undefined)),
    // The job finds out after the watch has.
    sleepBetweenAttempts: nextIsReady,
    outgoingTo: (url) => createOutgoing({ allowed: parseAllowedTargets([new URL(url).host]) }),
    apiKey: null,
    baseModels: (await app.engine.baseModels()).map((model) => ({ ...model, adapter })),
  })
  const server = await app.anotherServer({ engine, jobQueue: `queue-${randomUUID()}`, runLimits, settleEveryMs: 50 })
  onTestFinished(async () => {
    await server.close()
    await engine.close()
    await Promise.all(deaths)
  })

  async function run() {
    const { client } = server
    const model_id = (await client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
    const { id } = await client.trainingJobs.create({ model_id, trajectory_groups: groups, experimental_config })
    const job = await untilEnded(client, id)
    return { job, model_id, events: await allEvents(client, id) }
  }
  return { run, servers }
}

async function weightsOf(model_id: string): Promise<unknown> {
  const { files } = await app.database
    .selectFrom('checkpoints')
    .select('files')
    .where('model_id', '=', model_id)
    .where('step', '=', 1)
    .executeTakeFirstOrThrow()
  return (JSON.parse(files) as Record<string, unknown>)['adapter_model.safetensors']
}

test('a job whose training server dies continues at the next one from its last recovery point, to the same weights', async () => {
  const undisturbed = await (await start(() => null)).run()
  expect(undisturbed.job).toMatchObject({ status: 'succeeded', step: 1 })

  // Three requests before the first step of the job measure how the server adds up.
  const { run, servers } = await start((server) => (server === 1 ? { path: 'optim_step', request: 3 + 3 } : null))
  const { job, model_id, events } = await run()
  expect(job).toMatchObject({ status: 'succeeded', step: 1 })
  expect(servers).toHaveLength(2)
  expect(servers[1]!.requests.filter((path) => path === 'load_weights')).toHaveLength(1)
  expect(servers[1]!.requests.filter((path) => path === 'optim_step')).toHaveLength(3 + steps - 2)
  expect(events.map(({ type }) => type)).toEqual(undisturbed.events.map(({ type }) => type))
  expect(await weightsOf(model_id)).toEqual(await weightsOf(undisturbed.model_id))
})

test('a job whose training servers all die fails after three attempts, with the request that was not answered', async () => {
  const { run, servers } = await start(() => ({ path: 'forward_backward', request: 1 }))
  const { job, events } = await run()
  expect(servers.length).toBeGreaterThanOrEqual(3)
  expect(job).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/^the training server did not answer \w+: /) })
  expect(events.at(-1)).toMatchObject({ type: 'training_failed', data: { error_message: job.error_message } })
})
