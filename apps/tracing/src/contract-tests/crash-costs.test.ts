import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from './testing/call-builders.ts'
import { equals } from './testing/feedback-builders.ts'
import {
  isAcknowledged,
  type KillableServers,
  type SentRequest,
  sendTo,
  type Server,
  startKillableServers,
} from './testing/killable-server.ts'
import { writeUntilKilled } from './testing/write-until-killed.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/costs'
const modelsOfCreation = 20

/** A request, and what it does by model name: names are never used twice, and ids are made by the server. */
interface Write extends SentRequest {
  does: 'create' | 'purge'
  models: string[]
  /** Takes what the answer says. */
  learn?(text: string): void
}

/** A price by which any change shows. */
const priceOf = (model: string) => ({ prompt_token_cost: model.length / 7, completion_token_cost: 1e-7, provider_id: `of ${model}` })

/** What one writer sends, in order: many prices, and the end of the first of them. */
function* story(): Generator<Write> {
  const models = Array.from({ length: modelsOfCreation }, () => `model ü ${newId()}`)
  const costs = Object.fromEntries(models.map((model) => [model, priceOf(model)]))
  let created: [id: string, model: string][] = []
  yield {
    does: 'create',
    models,
    path: '/cost/create',
    body: JSON.stringify({ project_id, costs }),
    learn(text) {
      created = (JSON.parse(text) as { ids: typeof created }).ids
    },
  }
  for (const [id, model] of created.slice(0, 2))
    yield { does: 'purge', models: [model], path: '/cost/purge', body: JSON.stringify({ project_id, query: equals('id', id) }) }
}

/** Names of all prices, each of which is as it was sent. */
async function readModels(server: Server, apiKey: string): Promise<string[]> {
  const response = await sendTo(server.url, apiKey, { path: '/cost/query', body: JSON.stringify({ project_id }) })
  const { results } = JSON.parse((await response?.text()) ?? '') as { results: { llm_id: string }[] }
  for (const row of results) expect(row).toMatchObject(priceOf(row.llm_id))
  return results.map(({ llm_id }) => llm_id)
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
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Write>({
        servers,
        killAfter,
        writers: 6,
        workOf: story,
        send: (access, write) => isAcknowledged(access, write, write.learn),
      })
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
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
