import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../../../testing/start-test-app.ts'
import { micros } from '../../../testing/system-micros.ts'

vi.setConfig({ testTimeout: trials({ usual: 180_000, long: 3_600_000 }) })

/** One request about one call. `variant` chooses its content. */
type Write =
  | { kind: 'start' | 'end' | 'complete'; call: number; variant: number }
  | { kind: 'rename'; call: number; variant: number }
  | { kind: 'delete'; call: number }

const calls = 4
const idOf = (call: number) => `00000000-0000-7000-8000-00000000000${call}`
const trace_id = '00000000-0000-7000-8000-0000000000aa'

const startOf = (call: number, variant: number) => ({
  id: idOf(call),
  trace_id,
  op_name: `op-${variant}`,
  started_at: `2026-0${1 + variant}-01T00:00:0${call}Z`,
  attributes: { variant },
  inputs: { call, variant },
  // Variant 0 brings no name, the others one each.
  display_name: variant === 0 ? null : `started ${variant}`,
})
const endOf = (call: number, variant: number) => ({
  id: idOf(call),
  ended_at: `2026-09-01T00:00:0${variant}Z`,
  output: { call, variant },
  summary: { variant },
  exception: variant === 2 ? 'failed' : null,
})

/** What a reader is to see of a call, by the rules of the contract, kept without a store. */
class Model {
  #start: ReturnType<typeof startOf> | undefined
  #end: ReturnType<typeof endOf> | undefined
  #name = ''
  #deleted = false

  apply(write: Write): void {
    if (this.#deleted) return
    if (write.kind === 'delete') this.#deleted = this.#start !== undefined
    if (write.kind === 'rename') this.#name = `renamed ${write.variant}`
    if (write.kind === 'start' || write.kind === 'complete') this.#applyStart(startOf(write.call, write.variant))
    if (write.kind === 'end' || write.kind === 'complete') this.#end = endOf(write.call, write.variant)
  }

  #applyStart(start: ReturnType<typeof startOf>): void {
    const repeated = this.#start?.display_name === start.display_name
    if (start.display_name !== null && !repeated) this.#name = start.display_name
    this.#start = start
  }

  get seen() {
    if (this.#deleted || this.#start === undefined) return undefined
    const { id, op_name, inputs, attributes } = this.#start
    return {
      id,
      op_name,
      inputs,
      attributes,
      started_at: this.#start.started_at,
      display_name: this.#name === '' ? null : this.#name,
      ended_at: this.#end?.ended_at ?? null,
      output: this.#end?.output ?? null,
      exception: this.#end?.exception ?? null,
    }
  }
}

async function send(client: TestClient, project_id: string, write: Write): Promise<void> {
  const [entity = '', project = ''] = project_id.split('/')
  switch (write.kind) {
    case 'start':
      return void (await client.calls.start({ start: { project_id, ...startOf(write.call, write.variant) } }))
    case 'end':
      return void (await client.calls.upsertBatch({
        batch: [{ mode: 'end', req: { end: { project_id, ...endOf(write.call, write.variant) } } }],
      }))
    case 'complete': {
      const whole = { project_id, ...startOf(write.call, write.variant), ...endOf(write.call, write.variant) }
      return void (await client.calls.complete({ entity, project, batch: [whole] }))
    }
    case 'rename':
      return void (await client.calls.update({ project_id, call_id: idOf(write.call), display_name: `renamed ${write.variant}` }))
    case 'delete':
      return void (await client.calls.delete({ project_id, call_ids: [idOf(write.call)] }))
  }
}

async function readAll(client: TestClient, project_id: string) {
  const seen: unknown[] = []
  for await (const call of client.calls.streamQuery({ project_id, sort_by: [{ field: 'id', direction: 'asc' }] })) {
    const { id, op_name, inputs, attributes, started_at, display_name, ended_at, output, exception } = call
    seen.push({ id, op_name, inputs, attributes, started_at, display_name, ended_at, output, exception })
  }
  return seen
}

const aWrite = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('start', 'end', 'complete'), call: fc.nat(calls - 1), variant: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename'), call: fc.nat(calls - 1), variant: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), call: fc.nat(calls - 1) }) },
) as fc.Arbitrary<Write>

const hour = 3_600_000_000
const tenYears = 87_600 * hour
/** How far the clock of a server is off. */
const anOffset = fc.constantFrom(-tenYears, -hour, -1, 0, 1, hour, tenYears)

const settings = [
  { name: 'one server on its own files', postgres: false, servers: 1, jumps: false },
  { name: 'one server on its own files, whose clock jumps and which starts again', postgres: false, servers: 1, jumps: true },
  { name: 'two servers over one PostgreSQL and one analytical store', postgres: true, servers: 2, jumps: false },
  { name: 'two servers over one PostgreSQL and one analytical store, whose clocks jump', postgres: true, servers: 2, jumps: true },
]

describe.each(settings)('$name', ({ postgres, servers, jumps }) => {
  const postgresUrl = inject('postgresUrl')
  const runs = postgres && postgresUrl === '' ? test.skip : test
  let app: TestApp
  const clients: TestClient[] = []
  let restart: (() => Promise<void>) | undefined
  const offsets = [0, 0]
  const clockOf = (server: number) => ({ clock: () => micros() + (offsets[server] ?? 0) })
  beforeAll(async () => {
    app = await startTestApp({ ...(postgres && { postgresUrl }), service: clockOf(0) })
    clients.push(app.client)
    if (servers === 2) clients.push((await app.anotherServer(clockOf(1))).client)
    let { service } = app
    if (jumps && servers === 1)
      restart = async () => {
        await service.close()
        const again = await app.anotherServer(clockOf(0))
        service = again.service
        clients[0] = again.client
      }
  })
  afterAll(() => app.close())

  async function expectSeen(project_id: string, models: readonly Model[]): Promise<void> {
    const expected = models.flatMap((model) => model.seen ?? [])
    for (const client of clients) expect(await readAll(client, project_id)).toEqual(expected)
  }

  runs('writes in any order, repeated, and after a delete give what the contract says', async () => {
    const offset = jumps ? anOffset : fc.constant(0)
    const restarts = restart ? fc.integer({ min: 0, max: 4 }).map((one) => one === 0) : fc.constant(false)
    const writes = fc.array(fc.tuple(aWrite, fc.nat(servers - 1), offset, restarts), { minLength: 1, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(writes, fc.boolean(), async (sequence, reads) => {
        const project_id = app.newProject()
        const models = Array.from({ length: calls }, () => new Model())
        for (const [write, server, off, again] of sequence) {
          offsets[server] = off
          if (again) await restart?.()
          await send(clients[server] ?? app.client, project_id, write)
          models[write.call]?.apply(write)
          // What a server knows of calls from here must not be what it answers below.
          if (reads) await expectSeen(project_id, models)
        }
        await expectSeen(project_id, models)
      }),
      {
        // Orders without jumps are among those with them.
        numRuns: trials({ usual: jumps ? 2 : 1, long: 500 }),
        // A start that found only a rename had an index that could not be joined with that of its end.
        examples: [
          [
            (['rename', 'start', 'end', 'start'] as const).map((kind): [Write, number, number, boolean] => [
              { kind, call: 0, variant: 0 },
              0,
              0,
              false,
            ]),
            true,
          ],
        ],
      },
    )
  })

  // Writes at the same time have no order that a clock could change.
  if (jumps) return

  runs('halves that arrive at the same time, each several times, make each call once and whole', async () => {
    const halves = Array.from({ length: calls }, (_, call) => [
      { kind: 'start' as const, call, variant: 1 },
      { kind: 'end' as const, call, variant: 1 },
    ]).flat()
    const shuffled = fc.shuffledSubarray([...halves, ...halves], { minLength: halves.length * 2 })
    await fc.assert(
      fc.asyncProperty(shuffled, fc.infiniteStream(fc.nat(servers - 1)), async (writes, servedBy) => {
        const project_id = app.newProject()
        await Promise.all(writes.map((write) => send(clients[servedBy.next().value ?? 0] ?? app.client, project_id, write)))
        const models = Array.from({ length: calls }, () => new Model())
        for (const write of writes) models[write.call]?.apply(write)
        expect(await readAll(app.client, project_id)).toEqual(models.map((model) => model.seen))
      }),
      { numRuns: trials({ usual: 2, long: 200 }) },
    )
  })
})
