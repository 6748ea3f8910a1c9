import { isApiError, tracing, type Operation } from '@heddle/core-api'
import { payloadCanary } from '@heddle/service-kit/testing'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { aCall, readCall, record } from './testing/call-builders.ts'
import { sampleProviders } from './testing/sample-providers.ts'
import { aDataDeletion, aLink, aQueue, aWebhook, objectName, sampleRequests, type Place } from './testing/sample-requests.ts'

let app: TestApp
/** What the server told its log as its own failures. */
const failures: unknown[] = []
beforeAll(async () => {
  const log = { info() {}, error: (...told: unknown[]) => void failures.push(told) }
  app = await startTestApp({ service: { log, providers: sampleProviders } })
})
afterAll(() => app.close())

let placeToRead: Promise<Place> | undefined

/** One of its own for each operation that writes, since some of them take away what others need; it has what the request names. */
function placeFor(named: Named): Promise<Place> {
  if (named.operation.effect === 'read') return (placeToRead ??= aPlace(() => true))
  const fields = fieldsIn(named)
  return aPlace((field) => fields.has(field))
}

const samples = sampleRequests as unknown as Record<string, Record<string, (place: Place) => object>>

/** The fields of a place that the good request of an operation names. */
function fieldsIn({ resource, key }: Named): ReadonlySet<string> {
  const fields = new Set<string>()
  const place = new Proxy({} as Place, { get: (_, field) => (fields.add(String(field)), 'entity/project') })
  samples[resource]?.[key]?.(place)
  return fields
}

/** A project with a call, and with the other records that are needed. */
async function aPlace(needs: (field: keyof Place) => boolean): Promise<Place> {
  const { client } = app
  const project_id = app.newProject()
  const call = aCall({ project_id, inputs: { a: { b: [1, 'x'] } } })
  const { id: call_id, trace_id } = call
  await record(client, call)
  const ifNeeded = <T>(field: keyof Place, make: () => Promise<T>) => (needs(field) ? make() : undefined)
  const object = await ifNeeded('objectDigest', () => client.objects.create({ obj: { project_id, object_id: objectName, val: { a: 1 } } }))
  const bytes = Buffer.from('f')
  const file = await ifNeeded('fileDigest', () =>
    client.files.create({ project_id, files: [{ field: 'file', filename: 'f', content_type: undefined, bytes }] }),
  )
  const table = await ifNeeded(needs('rowDigest') ? 'rowDigest' : 'tableDigest', () =>
    client.tables.create({ table: { project_id, rows: [{ inputs: { a: 2 } }, { inputs: { a: 1 } }] } }),
  )
  const feedback = await ifNeeded('feedbackId', () =>
    client.feedback.create({
      project_id,
      weave_ref: `weave:///${project_id}/call/${call.id}`,
      feedback_type: 'wandb.note.1',
      payload: { note: 'n' },
    }),
  )
  const created = await ifNeeded('keyId', () => client.projectKeys.create({ project_id, name: 'f', role: 'reader' }))
  const noQueue = { queueId: '', itemId: '' }
  const noLink = { linkId: '', linkToken: '' }
  return {
    project_id,
    callId: call_id,
    traceId: trace_id,
    objectDigest: object?.digest ?? '',
    tableDigest: table?.digest ?? '',
    rowDigest: table?.row_digests[0] ?? '',
    fileDigest: file?.digest ?? '',
    feedbackId: feedback?.id ?? '',
    keyId: created?.key.id ?? '',
    ...((await ifNeeded('queueId', () => aQueue(client, { project_id, call_id, text: 'f' }))) ?? noQueue),
    ...((await ifNeeded(needs('linkId') ? 'linkId' : 'linkToken', () => aLink(client, { project_id, trace_id }))) ?? noLink),
    ...((await ifNeeded('webhookId', () => aWebhook(client, { project_id, text: 'f' }))) ?? { webhookId: '' }),
    ...((await ifNeeded('deletionId', () => aDataDeletion(client, { project_id }))) ?? { deletionId: '' }),
  }
}

const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group)
    .filter(([, operation]) => operation.body !== undefined)
    .map(([key, operation]) => ({ name: `${resource}.${key}`, resource, key, operation })),
)
type Named = (typeof operations)[number]

/** Fields of the request that a good sample leaves out, by name, so that they are tried as well. */
const optionalFields: Record<string, unknown> = {
  limit: 5,
  offset: 0,
  filter: { op_names: ['op'], trace_roots_only: true },
  query: { $expr: { $gt: [{ $getField: 'inputs.a.b.0' }, { $literal: 0 }] } },
  sort_by: [{ field: 'inputs.a', direction: 'asc' }],
  columns: ['inputs', 'summary'],
  expand_columns: ['inputs.a'],
  usage_metrics: [{ metric: 'total_tokens', aggregations: ['sum'], percentiles: [50] }],
  granularity: 3600,
  timezone: 'UTC',
  include_costs: true,
  include_usernames: true,
  include_total_storage_size: true,
  include_feedback: true,
}

/** The same for operations whose fields of these names hold something else. */
const ownFields: Record<string, Record<string, unknown>> = {
  'feedback.query': {
    query: { $expr: { $gt: [{ $getField: 'payload.note' }, { $literal: 0 }] } },
    sort_by: [{ field: 'payload.note', direction: 'asc' }],
    fields: ['id', 'payload.note', 'scorer_ratings.a'],
  },
  'feedback.stats': { query: { $expr: { $gt: [{ $getField: 'payload.note' }, { $literal: 0 }] } }, group_by: 'reaction' },
  'feedback.purge': { query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: 'x' }]] } } },
  'threads.streamQuery': {
    filter: { after_datetime: '2026-01-01', thread_ids: ['t'] },
    sort_by: [{ field: 'turn_count', direction: 'asc' }],
  },
}

const emptyOrWrong = [null, '', true, 'true', [], {}, [null], [[]], 'id', 'NaN']
const numbers = ['-1', -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, '9'.repeat(400), -1e12, 1e18]
const times = ['1970-01-01', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '2026-02-30']
const texts = [
  payloadCanary,
  '\0',
  '\ud800',
  'x'.repeat(5_000),
  "' OR 1=1 --",
  '{p0:String}',
  '`',
  '\\',
  '%',
  '_',
  '../..',
  'inputs.__proto__.x',
]
const refs = ['weave:///', 'weave:///a/b/object/c:d', 'weave-trace-internal:///x/object/y:z']
const prototypes = [JSON.parse('{"__proto__":{"polluted":1}}') as unknown, { constructor: { prototype: { polluted: 1 } } }]
const hostile = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...emptyOrWrong, ...numbers, ...times, ...texts, ...refs, ...prototypes))

type Path = (string | number)[]

/** Every place in a value, from the whole inwards. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, Array.isArray(value) ? Number(key) : key]))]
}

function withChange(value: unknown, [head, ...rest]: Path, change: (member: unknown) => unknown): unknown {
  if (head === undefined) return change(value)
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string | number, unknown>
  copy[head] = withChange(copy[head], rest, change)
  return copy
}

/** A sample with one to three of its places replaced, taken away, or given a stranger. */
function mutated(sample: unknown): fc.Arbitrary<unknown> {
  const mutation = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('replace', 'remove', 'add'),
    value: hostile,
    key: fc.string({ maxLength: 5 }),
  })
  return fc.array(mutation, { minLength: 1, maxLength: 3 }).map((mutations) =>
    mutations.reduce<unknown>((value, { at, kind, value: replacement, key }) => {
      const places = placesOf(value).slice(1)
      const path = places[at % Math.max(1, places.length)] ?? []
      if (kind === 'add') return withChange(value, path, (member) => (isObject(member) ? { ...member, [key]: replacement } : replacement))
      return withChange(value, path, () => (kind === 'remove' ? undefined : replacement))
    }, sample),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

type AnyClient = Record<string, Record<string, (input: unknown) => unknown>>

async function answerTo({ resource, key }: Named, input: unknown): Promise<{ status: number; message: string }> {
  try {
    const answer = (app.client as unknown as AnyClient)[resource]?.[key]?.(input)
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) void _
    await answer
    return { status: 200, message: '' }
  } catch (error) {
    if (isApiError(error)) return { status: error.status, message: error.message }
    // The client itself refuses a path parameter that is not valid.
    if (error instanceof URIError || (error instanceof TypeError && error.message.startsWith('path parameter')))
      return { status: 400, message: '' }
    throw error
  }
}

const insides = /heddle\.(?:calls|table|feedback)|node_modules|\.ts:\d|SQLITE|Code: \d+|DB::|chdb|at \w+ \(/

test.concurrent.each(operations)(
  '$name answers any change of a good request with success or a refusal that keeps to itself',
  async (named) => {
    const place = await placeFor(named)
    const declared = Object.keys(named.operation.body?.shape ?? {})
    const optional = Object.fromEntries(Object.entries(optionalFields).filter(([field]) => declared.includes(field)))
    const sample = JSON.parse(
      JSON.stringify({ ...optional, ...ownFields[named.name], ...samples[named.resource]?.[named.key]?.(place) }),
    ) as unknown
    expect(await answerTo(named, sample)).toEqual({ status: 200, message: '' })
    await fc.assert(
      fc.asyncProperty(mutated(sample), async (input) => {
        failures.length = 0
        const answer = await answerTo(named, input)
        expect([200, 400, 403, 404, 409, 413, 422], JSON.stringify(failures)).toContain(answer.status)
        expect(answer.message).not.toMatch(insides)
        if (answer.status !== 200) expect((await answerTo(named, input)).status).toBe(answer.status)
      }),
      { numRuns: trials({ usual: 3, long: 3_000 }) },
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  },
  600_000,
)

test('after all of it a call is written and read as before', async () => {
  const call = aCall({ project_id: app.newProject(), output: 'fine' })
  await record(app.client, call)
  expect(await readCall(app.client, call)).toMatchObject({ output: 'fine' })
})
