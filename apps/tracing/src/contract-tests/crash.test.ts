import { randomUUID } from 'node:crypto'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { payloadCanary } from '@heddle/service-kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { aCall, aStart, anEnd, newId } from './testing/call-builders.ts'
import { isAcknowledged, type KillableServers, type SentRequest, sendTo, startKillableServers } from './testing/killable-server.ts'
import { type Outcome, writeUntilKilled } from './testing/write-until-killed.ts'
import { sendRaw } from './testing/send-raw.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

/** One request of a writer, and the exact texts by which a reader knows each of its records again. */
interface Write {
  path: string
  body: string
  /** Text that each record holds, by the id of a call or the name of an object. */
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

/** Names of objects, which ids of calls never look like. */
const objectName = 'object-'

function anObject(id: string): Write {
  const object_id = `${objectName}${id}`
  const body = `{"obj":{"project_id":"${project_id}","object_id":"${object_id}","val":${payload(id)}}}`
  return { path: '/obj/create', body, shown: new Map([[object_id, `"val":${payload(id)}`]]) }
}

const someIds = (count: number) => Array.from({ length: count }, newId)

/** Work of one writer: each list is sent in order, the next request after the answer to the one before. */
const kinds: (() => Write[])[] = [
  () => [wholeCalls(someIds(40))],
  () => [spans(30)],
  () => [wholeCalls(someIds(1))],
  () => [anObject(newId())],
  () => {
    const id = newId()
    return [singleStart(id), singleEnd(id)]
  },
  () => {
    const ids = someIds(20)
    return [batchOfStarts(ids), batchOfEnds(ids)]
  },
]

type Send = (request: SentRequest) => Promise<{ text: string } | undefined>

const sendOver =
  (url: string, apiKey: string): Send =>
  async (request) => {
    const response = await sendTo(url, apiKey, request)
    return response && { text: await response.text() }
  }

/** All calls by id and objects by name, as the text in which they are answered. `lines` is of the calls alone. */
async function readAll(send: Send): Promise<{ lines: string[]; byId: Map<string, string> }> {
  const answer = await send({ path: '/calls/stream_query', body: JSON.stringify({ project_id }) })
  const lines = (answer?.text ?? '').split('\n').filter((line) => line !== '')
  const byId = new Map(lines.map((line) => [(JSON.parse(line) as { id: string }).id, line]))
  const query = await send({ path: '/objs/query', body: JSON.stringify({ project_id, metadata_only: true }) })
  const { objs } = JSON.parse(query?.text ?? '{"objs":[]}') as { objs: { object_id: string; version_index: number }[] }
  for (const { object_id, version_index } of objs.filter((obj) => obj.object_id.startsWith(objectName))) {
    expect(version_index, 'versions of an object that was published once').toBe(0)
    const read = await send({ path: '/obj/read', body: JSON.stringify({ project_id, object_id, digest: 'latest' }) })
    byId.set(object_id, read?.text ?? '')
  }
  return { lines, byId }
}

const callsIn = (byId: ReadonlyMap<string, string>) => [...byId.keys()].filter((id) => !id.startsWith(objectName)).length

function idsNotShown(writes: readonly Write[], byId: ReadonlyMap<string, string>): string[] {
  return writes.flatMap(({ shown }) => [...shown].filter(([id, text]) => !byId.get(id)?.includes(text)).map(([id]) => id))
}

test('a server that is killed in the middle of writes has every acknowledged call, once and byte by byte, when it starts again', async () => {
  const opened: number[] = []
  let kept = 0
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 120 }), someStarts, async (killAfter, startsMs) => {
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Write>({
        servers,
        killAfter,
        writers: 8,
        workOf: (_, round) => kinds[round % kinds.length]?.() ?? [],
        send: isAcknowledged,
      })
      // Killed on its way up as well, it still finds all of it the next time.
      for (const afterMs of startsMs) await servers.startAndKill(dataDir, apiKey, afterMs)
      const again = await servers.start(dataDir, apiKey)
      opened.push(again.openedMs)
      try {
        const { lines, byId } = await readAll(sendOver(again.url, apiKey))
        expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter)
        expect(idsNotShown(acknowledged, byId)).toEqual([])
        kept += acknowledged.reduce((records, { shown }) => records + shown.size, 0)
        expect(lines).toHaveLength(callsIn(byId))
        for (const write of unanswered) expect([0, write.shown.size]).toContain(idsNotShown([write], byId).length)
        // What got no answer is sent again, as clients do.
        for (const write of [...unanswered, ...acknowledged.slice(-5)])
          expect([write.path, (await sendTo(again.url, apiKey, write))?.status]).toEqual([write.path, 200])
        const complete = await readAll(sendOver(again.url, apiKey))
        expect(idsNotShown([...acknowledged, ...unanswered], complete.byId)).toEqual([])
        const ids = new Set([...acknowledged, ...unanswered].flatMap(({ shown }) => [...shown.keys()]))
        expect([...complete.byId.keys()].sort()).toEqual([...ids].sort())
        expect(complete.lines).toHaveLength(callsIn(complete.byId))
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
  tell(`${kept} acknowledged records kept, stores of killed servers opened`, opened)
}, 3_600_000)

/** Milliseconds after which starts are cut short. */
const someStarts = fc.array(fc.integer({ min: 300, max: 3_000 }), { maxLength: trials({ usual: 1, long: 5 }) })

/** Printed for people who run the trials: a test asserts no clock. */
function tell(what: string, milliseconds: readonly number[]): void {
  const sorted = milliseconds.map(Math.round).toSorted((one, other) => one - other)
  process.stdout.write(`${what}: ${sorted.length} trials, median ${sorted[sorted.length >> 1]} ms, longest ${sorted.at(-1)} ms\n`)
}

test('while the engine starts again the answer is 503 with Retry-After, and then everything recovers automatically', async () => {
  const app: TestApp = await startTestApp({ own: {} })
  const away: number[] = []
  try {
    for (let trial = 0; trial < trials({ usual: 1, long: 20 }); trial++) away.push(await killEngineUnderLoad(app))
  } finally {
    await app.close()
  }
  tell('killed engines were back', away)
}, 3_600_000)

/** Kills the engine while every kind of write is under way. Returns the milliseconds until it was back. */
async function killEngineUnderLoad(app: TestApp): Promise<number> {
  const { engine } = app.stores
  const send: Send = (request) => sendRaw(app, request)
  const before = anObject(newId())
  expect((await sendRaw(app, before)).status).toBe(200)
  const { pid, restarts } = engine
  const outcome: Outcome<Write> = { acknowledged: [before], unanswered: [] }
  const writer = async (turn: number) => {
    for (const write of kinds[turn % kinds.length]?.() ?? []) {
      const { status } = await sendRaw(app, write)
      expect([200, 429, 503]).toContain(status)
      if (status !== 200) return void outcome.unanswered.push(write)
      outcome.acknowledged.push(write)
    }
  }
  const writing = Array.from({ length: 24 }, (_, turn) => writer(turn))
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  const killedMs = performance.now()
  const refused = await askWithoutEngine(app)
  expect(refused).toMatchObject({ status: 503, body: { reason: expect.any(String) } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  await engine.settled()
  const awayMs = performance.now() - killedMs
  await Promise.all(writing)
  expect(engine.restarts).toBeGreaterThan(restarts)
  const { lines, byId } = await readAll(send)
  expect(idsNotShown(outcome.acknowledged, byId)).toEqual([])
  expect(lines).toHaveLength(callsIn(byId))
  for (const write of [...outcome.unanswered, ...outcome.acknowledged.slice(-3)]) expect((await sendRaw(app, write)).status).toBe(200)
  const complete = await readAll(send)
  expect(idsNotShown([...outcome.acknowledged, ...outcome.unanswered], complete.byId)).toEqual([])
  expect(complete.lines).toHaveLength(callsIn(complete.byId))
  return awayMs
}

/** Asks as soon as the server has learned that its engine is gone. A question that came before waits for the engine. */
async function askWithoutEngine(app: TestApp) {
  await expect.poll(() => app.stores.engine.pid, { interval: 1 }).toBeUndefined()
  return sendRaw(app, { path: '/calls/query_stats', body: { project_id } })
}
