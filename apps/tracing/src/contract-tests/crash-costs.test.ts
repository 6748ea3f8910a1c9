import { newApiKey } from '@heddle/identity'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trials } from '../testing/trials.ts'
import { newId } from './testing/call-builders.ts'
import { equals } from './testing/feedback-builders.ts'
import { type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/costs'
const modelsOfCreation = 20

/** What one request does, by model name: names are never used twice, and ids are made by the server. */
interface Write {
  does: 'create' | 'purge'
  models: string[]
}

/** A price by which any change shows. */
const priceOf = (model: string) => ({ prompt_token_cost: model.length / 7, completion_token_cost: 1e-7, provider_id: `of ${model}` })

async function create(server: Server, apiKey: string, models: string[]): Promise<{ ids: [string, string][] } | undefined> {
  const costs = Object.fromEntries(models.map((model) => [model, priceOf(model)]))
  return read(await sendTo(server.url, apiKey, { path: '/cost/create', body: JSON.stringify({ project_id, costs }) }))
}

async function purge(server: Server, apiKey: string, id: string): Promise<object | undefined> {
  return read(await sendTo(server.url, apiKey, { path: '/cost/purge', body: JSON.stringify({ project_id, query: equals('id', id) }) }))
}

async function read<T>(response: Response | undefined): Promise<T | undefined> {
  if (response === undefined) return undefined
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

interface Outcome {
  acknowledged: Write[]
  /** Sent without an answer: done or not, but as a whole. */
  unanswered: Write[]
}

/** Writes from several writers at once until the server was killed, which happens after so many acknowledged requests. */
async function writeUntilKilled(server: Server, apiKey: string, killAfter: number): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: [], unanswered: [] }
  let killed: Promise<void> | undefined
  const note = (write: Write, isAcknowledged: boolean) => {
    outcome[isAcknowledged ? 'acknowledged' : 'unanswered'].push(write)
    // The others are in the middle of their requests now.
    if (outcome.acknowledged.length >= killAfter) killed ??= servers.kill(server)
    return isAcknowledged
  }
  const writer = async () => {
    while (killed === undefined) {
      const models = Array.from({ length: modelsOfCreation }, () => `model ü ${newId()}`)
      const created = await create(server, apiKey, models)
      if (!note({ does: 'create', models }, created !== undefined)) return
      for (const [id, model] of created?.ids.slice(0, 2) ?? [])
        if (!note({ does: 'purge', models: [model] }, (await purge(server, apiKey, id)) !== undefined)) return
    }
  }
  await Promise.all(Array.from({ length: 6 }, writer))
  // Where no writer came so far, on a machine that is busy with other things, it is killed all the same.
  await (killed ?? servers.kill(server))
  return outcome
}

/** Names of all prices, each of which is as it was sent. */
async function readModels(server: Server, apiKey: string): Promise<string[]> {
  const answer = await read<{ results: { llm_id: string }[] }>(
    await sendTo(server.url, apiKey, { path: '/cost/query', body: JSON.stringify({ project_id }) }),
  )
  for (const row of answer?.results ?? []) expect(row).toMatchObject(priceOf(row.llm_id))
  return (answer?.results ?? []).map(({ llm_id }) => llm_id)
}

/** The prices that must be there after these writes. */
function modelsAfter(writes: readonly Write[]): Set<string> {
  const of = (does: Write['does']) => new Set(writes.filter((write) => write.does === does).flatMap(({ models }) => models))
  const purged = of('purge')
  return new Set([...of('create')].filter((model) => !purged.has(model)))
}

test('a server that is killed in the middle of writing costs has each write as a whole or not at all, and every acknowledged one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (killAfter) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const { acknowledged, unanswered } = await writeUntilKilled(await servers.start(dataDir, apiKey), apiKey, killAfter)
      const again = await servers.start(dataDir, apiKey)
      try {
        const found = await readModels(again, apiKey)
        const known = new Set(found)
        expect(found).toHaveLength(known.size)
        const done = unanswered.filter(({ does, models }) => models.some((model) => known.has(model) === (does === 'create')))
        expect(known).toEqual(modelsAfter([...acknowledged, ...done]))
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 2, long: 20 }) },
  )
}, 1_200_000)
