import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { newApiKey } from '@heddle/identity'
import { payloadCanary } from '@heddle/service-kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { trials } from '../testing/trials.ts'
import { aCall, aStart, anEnd, findCalls, newId } from './testing/call-builders.ts'
import { type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { sendRaw } from './testing/send-raw.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

/** One request of a writer, and the exact texts by which a reader knows each of its calls again. */
interface Write {
  path: string
  body: string
  /** Text that the record of each call holds, by call id. */
  shown: Map<string, string>
}

const project_id = 'crash/test'

/** A payload whose bytes show any change: a number that JavaScript would write otherwise, and text beyond ASCII. */
const payload = (id: string) =>
  `{"id":"${id}","exact":1.0,"big":12345678901234567890,"text":"ü🙂\\u0000${payloadCanary}${'x'.repeat(300)}"}`
const withPayload = (record: object, field: string, id: string) =>
  JSON.stringify(record).replace(`"${field}":{}`, `"${field}":${payload(id)}`)

function batchOfStarts(ids: string[]): Write {
  const items = ids.map((id) => `{"mode":"start","req":{"start":${withPayload(aStart({ project_id, id }), 'inputs', id)}}}`)
  return {
    path: '/call/upsert_batch',
    body: `{"batch":[${items.join(',')}]}`,
    shown: new Map(ids.map((id) => [id, `"inputs":${payload(id)}`])),
  }
}

function batchOfEnds(ids: string[]): Write {
  const items = ids.map((id) => `{"mode":"end","req":{"end":${withPayload({ ...anEnd({ project_id, id }), output: {} }, 'output', id)}}}`)
  return {
    path: '/call/upsert_batch',
    body: `{"batch":[${items.join(',')}]}`,
    shown: new Map(ids.map((id) => [id, `"output":${payload(id)}`])),
  }
}

function wholeCalls(ids: string[]): Write {
  const items = ids.map((id) => withPayload({ ...aCall({ project_id, id }) }, 'inputs', id))
  return {
    path: `/v2/${project_id}/calls/complete`,
    body: `{"batch":[${items.join(',')}]}`,
    shown: new Map(ids.map((id) => [id, `"inputs":${payload(id)}`])),
  }
}

function singleStart(id: string): Write {
  const body = `{"start":${withPayload(aStart({ project_id, id }), 'inputs', id)}}`
  return { path: '/call/start', body, shown: new Map([[id, `"inputs":${payload(id)}`]]) }
}

function singleEnd(id: string): Write {
  const body = `{"end":${withPayload({ ...anEnd({ project_id, id }), output: {} }, 'output', id)}}`
  return { path: '/call/end', body, shown: new Map([[id, `"output":${payload(id)}`]]) }
}

function spans(count: number): Write {
  const [entity = '', project = ''] = project_id.split('/')
  const attributes = Object.entries({ 'wandb.entity': entity, 'wandb.project': project }).map(([key, stringValue]) => ({
    key,
    value: { stringValue },
  }))
  const ids = Array.from({ length: count }, () => randomUUID().replaceAll('-', '').slice(0, 16))
  const sent = ids.map((spanId) => ({
    traceId: randomUUID().replaceAll('-', ''),
    spanId,
    name: 'span',
    startTimeUnixNano: '1772323200000000000',
    endTimeUnixNano: '1772323201000000000',
    attributes: [{ key: 'input', value: { stringValue: `ü🙂 ${spanId}` } }],
  }))
  const body = JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: sent }] }] })
  return { path: '/otel/v1/traces', body, shown: new Map(ids.map((id) => [id, `"inputs":{"input":"ü🙂 ${id}"}`])) }
}

const someIds = (count: number) => Array.from({ length: count }, newId)

/** Work of one writer, in turns: each list is sent in order, the next request after the answer to the one before. */
const kinds: (() => Write[])[] = [
  () => [wholeCalls(someIds(40))],
  () => [spans(30)],
  () => [wholeCalls(someIds(1))],
  () => {
    const id = newId()
    return [singleStart(id), singleEnd(id)]
  },
  () => {
    const ids = someIds(20)
    return [batchOfStarts(ids), batchOfEnds(ids)]
  },
]

interface Outcome {
  acknowledged: Write[]
  /** Sent without an answer: stored or not, but as a whole. */
  unknown: Write[]
}

/** Writes from several writers at once until the server was killed, which happens after so many acknowledged requests. */
async function writeUntilKilled(server: Server, apiKey: string, killAfter: number): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: [], unknown: [] }
  let killed: Promise<void> | undefined
  const writer = async (turn: number) => {
    for (let at = turn; killed === undefined; at++) {
      for (const write of kinds[at % kinds.length]?.() ?? []) {
        const response = await sendTo(server.url, apiKey, write)
        if (response === undefined) return void outcome.unknown.push(write)
        if (response.status !== 200) throw new Error(`${write.path} answered ${response.status}: ${await response.text()}`)
        outcome.acknowledged.push(write)
        // The others are in the middle of their requests now.
        if (outcome.acknowledged.length >= killAfter) killed ??= servers.kill(server)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, turn) => writer(turn)))
  await killed
  return outcome
}

/** All calls by id, as the text in which they are answered. */
async function readAll(url: string, apiKey: string): Promise<{ lines: string[]; byId: Map<string, string> }> {
  const response = await sendTo(url, apiKey, { path: '/calls/stream_query', body: JSON.stringify({ project_id }) })
  const lines = ((await response?.text()) ?? '').split('\n').filter((line) => line !== '')
  return { lines, byId: new Map(lines.map((line) => [(JSON.parse(line) as { id: string }).id, line])) }
}

function idsNotShown(writes: readonly Write[], byId: ReadonlyMap<string, string>): string[] {
  return writes.flatMap(({ shown }) => [...shown].filter(([id, text]) => !byId.get(id)?.includes(text)).map(([id]) => id))
}

test('a server that is killed in the middle of writes has every acknowledged call, once and byte by byte, when it starts again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 120 }), async (killAfter) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const { acknowledged, unknown } = await writeUntilKilled(await servers.start(dataDir, apiKey), apiKey, killAfter)
      const again = await servers.start(dataDir, apiKey)
      try {
        const { lines, byId } = await readAll(again.url, apiKey)
        expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter)
        expect(idsNotShown(acknowledged, byId)).toEqual([])
        expect(lines).toHaveLength(byId.size)
        for (const write of unknown) expect([0, write.shown.size]).toContain(idsNotShown([write], byId).length)
        // What got no answer is sent again, as clients do.
        for (const write of [...unknown, ...acknowledged.slice(-5)])
          expect([write.path, (await sendTo(again.url, apiKey, write))?.status]).toEqual([write.path, 200])
        const complete = await readAll(again.url, apiKey)
        expect(idsNotShown([...acknowledged, ...unknown], complete.byId)).toEqual([])
        const ids = new Set([...acknowledged, ...unknown].flatMap(({ shown }) => [...shown.keys()]))
        expect([...complete.byId.keys()].sort()).toEqual([...ids].sort())
        expect(complete.lines).toHaveLength(ids.size)
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 2, long: 20 }) },
  )
}, 1_200_000)

test('while the engine starts again the answer is 503 with Retry-After, and then everything goes on by itself', async () => {
  const app: TestApp = await startTestApp()
  try {
    for (let trial = 0; trial < trials({ usual: 2, long: 20 }); trial++) await killEngineUnderLoad(app)
  } finally {
    await app.close()
  }
}, 300_000)

async function killEngineUnderLoad(app: TestApp): Promise<void> {
  const { engine } = app.stores
  const own = app.newProject()
  const started = aStart({ project_id: own })
  await app.client.calls.start({ start: started })
  const { pid, restarts } = engine
  const batches = Array.from({ length: 20 }, () =>
    Array.from({ length: 10 }, () => aCall({ project_id: own, inputs: { text: 'x'.repeat(1_000) } })),
  )
  const writing = batches.map((batch) => sendRaw(app, { path: `/v2/${own}/calls/complete`, body: { batch } }))
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  const refused = await askWithoutEngine(app, own)
  expect(refused).toMatchObject({ status: 503, body: { reason: expect.any(String) } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const answers = await Promise.all(writing)
  await engine.settled()
  expect(engine.restarts).toBeGreaterThan(restarts)
  for (const { status } of answers) expect([200, 503]).toContain(status)
  const acknowledged = batches.filter((_, index) => answers[index]?.status === 200).flat()
  const found = (await findCalls(app.client, { project_id: own })).map((call) => call.id)
  const wanted = [started.id, ...acknowledged.map((call) => call.id)]
  expect(wanted.filter((id) => !found.includes(id ?? ''))).toEqual([])
  expect(found).toHaveLength(new Set(found).size)
  for (const batch of batches) expect((await sendRaw(app, { path: `/v2/${own}/calls/complete`, body: { batch } })).status).toBe(200)
  expect(await app.client.calls.queryStats({ project_id: own })).toMatchObject({ count: 1 + batches.flat().length })
}

/** Asks as soon as the server has learned that its engine is gone. A question that came before waits for the engine. */
async function askWithoutEngine(app: TestApp, own: string) {
  await expect.poll(() => app.stores.engine.pid, { interval: 1, timeout: 10_000 }).toBeUndefined()
  return sendRaw(app, { path: '/calls/query_stats', body: { project_id: own } })
}
