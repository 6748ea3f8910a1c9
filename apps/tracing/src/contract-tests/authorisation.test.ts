import { randomUUID } from 'node:crypto'
import { isApiError, tracing, type Effect, type Operation } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { newApiKey, sqlIdentityStore, toStoredKey, type NewKey } from '@heddle/identity'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../testing/start-test-app.ts'
import { aCall, newId } from './testing/call-builders.ts'
import { aFilledProject, contentOf } from './testing/filled-project.ts'
import { sampleProviders } from './testing/sample-providers.ts'
import { objectName, sampleRequests, type Place } from './testing/sample-requests.ts'
import { sendRaw } from './testing/send-raw.ts'

let app: TestApp
let place: Place
let before: unknown
beforeAll(async () => {
  app = await startTestApp({ service: { providers: sampleProviders } })
  place = await aFilledProject(app, 'secret')
  before = await contentOf(app, place)
})
afterAll(() => app.close())

const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group).map(([name, operation]) => ({ name: `${resource}.${name}`, resource, key: name, operation })),
)
type Named = (typeof operations)[number]

type AnyClient = Record<string, Record<string, (input: unknown) => unknown>>

/** Status of the sample request of an operation; the answer is read to its end. */
async function statusOf(client: TestClient, { resource, key }: Named, at: Place): Promise<number> {
  const sample = (sampleRequests as unknown as Record<string, Record<string, (place: Place) => unknown>>)[resource]?.[key]?.(at)
  try {
    const answer = (client as unknown as AnyClient)[resource]?.[key]?.(sample)
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>) void _
    await answer
    return 200
  } catch (error) {
    if (isApiError(error)) return error.status
    throw error
  }
}

const clientAt = (prefix: string, apiKey: string | undefined): TestClient =>
  createClient({
    baseUrl: `http://heddle.test${prefix}`,
    contract: tracing,
    retries: 0,
    fetch: (input, init) => app.service.fetch(new Request(input, init)),
    ...(apiKey !== undefined && { apiKey }),
  })

const created = async (key: Omit<NewKey, 'name'>) => (await app.identity.createKey({ name: 'someone', ...key })).secret
const elsewhere = [{ project_id: 'ours/another', role: 'admin' as const }]
const roles: Record<string, readonly Effect[]> = {
  reader: ['read'],
  writer: ['read', 'write'],
  ingest: ['write'],
  admin: ['read', 'write', 'destroy'],
}

async function revoked(): Promise<string> {
  const { secret, key } = await app.identity.createKey({ name: 'gone', role: 'admin' })
  await statusOf(clientAt('', secret), operations[0] as Named, await aFilledProject(app, 'used'))
  await app.identity.revokeKey(key.id)
  return secret
}

async function expired(): Promise<string> {
  const secret = newApiKey()
  await sqlIdentityStore(app.stores.database).putKey(toStoredKey({ name: 'old', role: 'admin', expiresAt: 2 }, { secret, now: 1 }))
  return secret
}

/** Names no project: it shows each key the projects that it may read, which `projects-query.test.ts` holds. */
const namesNoProject = ({ name }: Named) => name === 'projects.query'
/** Lets others read, so a key that may only send cannot do it. */
const needsReading = ({ name }: Named) => name === 'sharedTraces.create'
/** They report on all projects, so only admin keys for all projects may use them, as tests in `views/service` verify. */
const isForOperators = ({ name }: Named) => ['service.stats', 'service.configuration', 'service.storage', 'service.history'].includes(name)

/** Keys that open nothing here, with the status of every operation that needs one. */
const strangers: [who: string, status: number, secretOf: () => Promise<string | undefined>, readsElsewhere?: boolean][] = [
  ['no key', 401, async () => undefined],
  ['an unknown key', 401, async () => newApiKey()],
  ['a key that is not a key', 401, async () => 'x'],
  ['a revoked key', 401, revoked],
  ['an expired key', 401, expired],
  ['a key of another entity', 403, () => created({ role: 'admin', entity: 'theirs' }), true],
  ['a key limited to another project', 403, () => created({ role: 'admin', projects: elsewhere }), true],
  ['a key whose scopes leave nothing of its role', 403, () => created({ role: 'reader', scopes: ['destroy'] })],
]

const everySixth = (from: number) => operations.filter((_, at) => at % 6 === from % 6)
/** Which operations some of the keys are tried with: all keys are refused at one place, before an operation is known. */
const tried = (who: string, isWhole: boolean) =>
  inject('long') || (isWhole && ['no key', 'a key of another entity', 'a key limited to another project'].includes(who))
    ? operations
    : everySixth(strangers.findIndex(([name]) => name === who))

/** Both prefixes lead to the same targets, so the second is tried with a few keys and operations. */
const prefixes = [
  { prefix: '', isWhole: true },
  { prefix: '/traces', isWhole: inject('long') },
]

describe.each(prefixes)('under "$prefix"', ({ prefix, isWhole }) => {
  const someStrangers = ['no key', 'a key of another entity']
  test.each(strangers.filter(([who]) => isWhole || someStrangers.includes(who)))(
    '%s gets %i from every operation that needs a key, and what it may from the open ones',
    async (who, status, secretOf, readsElsewhere = false) => {
      const client = clientAt(prefix, await secretOf())
      for (const named of tried(who, isWhole)) {
        const isAnswered = named.operation.open === true || (namesNoProject(named) && readsElsewhere)
        expect([named.name, await statusOf(client, named, place)]).toEqual([named.name, isAnswered ? 200 : status])
      }
      expect(await contentOf(app, place)).toEqual(before)
    },
  )

  test.each(Object.entries(roles).filter(([role]) => role !== 'admin' && (isWhole || role === 'reader')))(
    'the role %s is refused what it may not do, and nothing else',
    async (role, effects) => {
      const secret = await created({ role: role as NewKey['role'], entity: 'ours' })
      const mayUse = (named: Named) =>
        named.operation.open === true ||
        (effects.includes(named.operation.effect) && !isForOperators(named) && (!needsReading(named) || effects.includes('read')))
      const ofRole = isWhole ? operations : everySixth(0)
      // A writer may do what the other roles may, so these try a few operations of each effect.
      const answered = new Set(inject('long') || !isWhole || role === 'writer' ? ofRole : everySixth(1))
      const refused = ofRole.filter((named) => !mayUse(named))
      for (const named of refused) expect([named.name, await statusOf(clientAt(prefix, secret), named, place)]).toEqual([named.name, 403])
      expect(await contentOf(app, place)).toEqual(before)
      const own = await aFilledProject(app, 'own')
      for (const named of ofRole.filter((each) => answered.has(each) && !refused.includes(each))) {
        expect([named.name, await statusOf(clientAt(prefix, secret), named, own)]).toEqual([named.name, 200])
      }
    },
  )
})

test('a key for one project with one role there opens that project alone', async () => {
  const mine = await aFilledProject(app, 'mine')
  const client = clientAt('', await created({ role: 'admin', projects: [{ project_id: mine.project_id, role: 'reader' }] }))
  for (const named of (inject('long') ? operations : everySixth(2)).filter(
    (each) => each.operation.open !== true && !namesNoProject(each),
  )) {
    const expected = named.operation.effect === 'read' && !isForOperators(named) ? 200 : 403
    expect([named.name, await statusOf(client, named, mine), await statusOf(client, named, place)]).toEqual([named.name, expected, 403])
  }
  expect(await contentOf(app, place)).toEqual(before)
})

test('a refusal does not say whether the project exists', async () => {
  const apiKey = await created({ role: 'admin', entity: 'theirs' })
  const ask = (project_id: string) => sendRaw(app, { path: '/calls/query_stats', body: { project_id }, apiKey })
  const [there, absent] = [await ask(place.project_id), await ask('ours/never-written')]
  expect(there).toMatchObject({ status: 403, body: { reason: 'Forbidden' } })
  expect([absent.status, absent.text]).toEqual([there.status, there.text])
})

const feedbackOn = ({ project_id, callId }: Place) => ({
  weave_ref: `weave:///${project_id}/call/${callId}`,
  feedback_type: 'quality',
  payload: {},
})

describe('what is in one project reaches no key of another', () => {
  const marker = `canary-${randomUUID()}`
  const registryIn = ({ project_id }: Place) => {
    const [entity_name = '', project_name = ''] = project_id.split('/')
    return { portfolio_name: 'models', entity_name, project_name }
  }

  /** Requests in a project of one's own that name what is in the other, by every way there is. */
  function attempts(own: Place, other: Place): [string, string, unknown][] {
    const ref = `weave:///${other.project_id}/object/${objectName}:${other.objectDigest}`
    const project_id = own.project_id
    const contains = { $expr: { $contains: { input: { $getField: 'inputs.ref.text' }, substr: { $literal: 'canary' } } } }
    return [
      ['/call/read', 'another id', { project_id, id: other.callId }],
      ['/calls/stream_query', 'everything', { project_id }],
      ['/calls/stream_query', 'ids of the other', { project_id, filter: { call_ids: [other.callId], trace_ids: [other.traceId] } }],
      [
        '/calls/stream_query',
        'the other as a field',
        { project_id, query: { $expr: { $eq: [{ $getField: 'project_id' }, { $literal: other.project_id }] } } },
      ],
      ['/calls/stream_query', 'expanded refs', { project_id, expand_columns: ['inputs.ref', 'inputs.part', 'output'] }],
      ['/calls/stream_query', 'a search behind refs', { project_id, expand_columns: ['inputs.ref'], query: contains }],
      [
        '/calls/query',
        'an order behind refs',
        { project_id, expand_columns: ['inputs.ref'], sort_by: [{ field: 'inputs.ref.text', direction: 'asc' }] },
      ],
      ['/calls/query_stats', 'a count behind refs', { project_id, expand_columns: ['inputs.ref'], query: contains }],
      ['/calls/usage', 'ids of the other', { project_id, call_ids: [other.callId] }],
      ['/trace/usage', 'ids of the other', { project_id, filter: { trace_ids: [other.traceId] } }],
      [
        '/calls/stats',
        'ids of the other',
        {
          project_id,
          start: '2026-03-01',
          end: '2026-03-02',
          call_metrics: [{ metric: 'call_count' }],
          filter: { call_ids: [other.callId] },
        },
      ],
      ['/feedback/query', 'everything', { project_id }],
      [
        '/feedback/query',
        'the target and the project of the other',
        {
          project_id,
          query: {
            $expr: {
              $or: [
                { $eq: [{ $getField: 'weave_ref' }, { $literal: `weave:///${other.project_id}/call/${other.callId}` }] },
                { $eq: [{ $getField: 'project_id' }, { $literal: other.project_id }] },
              ],
            },
          },
        },
      ],
      ['/calls/stream_query', 'feedback', { project_id, include_feedback: true }],
      ['/feedback/payload_schema', 'everything', { project_id, start: '2026-01-01', end: '2026-01-30' }],
      ['/feedback/aggregate', 'everything', { project_id, after_ms: 0, before_ms: 9e12 }],
      ['/feedback/create', 'the id of the other', { ...feedbackOn(other), project_id, id: other.feedbackId }],
      ['/feedback/replace', 'the id of the other', { ...feedbackOn(other), project_id, feedback_id: other.feedbackId }],
      [
        '/feedback/purge',
        'the id of the other',
        { project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: other.feedbackId }] } } },
      ],
      ['/obj/read', 'another digest', { project_id, object_id: objectName, digest: other.objectDigest }],
      ['/objs/query', 'everything', { project_id, include_tags_and_aliases: true }],
      ['/objs/query', 'labels of the other', { project_id, filter: { tags: [marker], aliases: [marker] }, include_tags_and_aliases: true }],
      ['/obj/delete', 'another digest', { project_id, object_id: objectName, digests: [other.objectDigest] }],
      [`/objs/${objectName}/versions/${other.objectDigest}/tags/remove`, 'another digest', { project_id, tags: [marker] }],
      [`/objs/${objectName}/aliases/remove`, 'an alias of the other', { project_id, aliases: [marker] }],
      ['/link_to_registry', 'the other as source', { ref, target: registryIn(own) }],
      ['/link_to_registry', 'the other as target', { ref: ref.replace(other.project_id, project_id), target: registryIn(other) }],
      ['/file/content', 'another digest', { project_id, digest: other.fileDigest }],
      ['/table/query', 'another digest', { project_id, digest: other.tableDigest }],
      ['/table/query_stream', 'another digest', { project_id, digest: other.tableDigest, sort_by: [{ field: 'text', direction: 'asc' }] }],
      ['/table/query_stats', 'another digest', { project_id, digest: other.tableDigest }],
      ['/table/query_stats_batch', 'another digest', { project_id, digests: [other.tableDigest], include_storage_size: true }],
      ['/table/update', 'another digest', { project_id, base_digest: other.tableDigest, updates: [{ pop: { index: 0 } }] }],
      ['/table/create_from_digests', 'rows of the other', { project_id, row_digests: [other.rowDigest] }],
      ['/table/query', 'a table of rows of the other', { project_id, digest: other.tableDigest }],
      ['/refs/read_batch', 'a ref to the other', { refs: [ref] }],
      [
        '/refs/read_batch',
        'a row of the other',
        { refs: [`weave:///${other.project_id}/table/${other.tableDigest}/id/${other.rowDigest}`] },
      ],
      ['/refs/read_batch', "one's own ref with digests of the other", { refs: [ref.replace(other.project_id, project_id)] }],
      [
        '/refs/read_batch',
        "one's own table with rows of the other",
        { refs: [`weave:///${project_id}/table/${other.tableDigest}/id/${other.rowDigest}`] },
      ],
      ['/obj/create', 'a ref to the other', { obj: { project_id, object_id: 'mine', val: { ref } } }],
      ['/calls/delete', 'ids of the other', { project_id, call_ids: [other.callId] }],
      ['/call/update', 'the id of the other', { project_id, call_id: other.callId, display_name: 'x' }],
      ['/call/start', 'the id of the other', { start: { ...aCall({ project_id, id: other.callId, trace_id: other.traceId }) } }],
      ['/annotation_queues/query', 'everything', { project_id }],
      ['/annotation_queues/query', 'a name of the other', { project_id, name: marker }],
      ['/annotation_queues/stats', 'the id of the other', { project_id, queue_ids: [other.queueId] }],
      [`/annotation_queues/${other.queueId}/items/query`, 'the id of the other', { project_id }],
      [`/annotation_queues/${own.queueId}/items/query`, 'an item of the other', { project_id, filter: { id: other.itemId } }],
      [`/annotation_queues/${other.queueId}/items`, 'the id of the other', { project_id, call_ids: [own.callId], display_fields: [] }],
      [`/annotation_queues/${own.queueId}/items`, 'a call of the other', { project_id, call_ids: [other.callId], display_fields: [] }],
      [`/annotation_queues/${other.queueId}/items/claim`, 'the id of the other', { project_id }],
      [`/annotation_queues/${own.queueId}/items/${other.itemId}/claim`, 'an item of the other', { project_id }],
      [`/annotation_queues/${other.queueId}/items/${other.itemId}/claim`, 'the ids of the other', { project_id }],
      [`/annotation_queues/${other.queueId}/items/${other.itemId}/release`, 'the ids of the other', { project_id }],
      [`/annotation_queues/${other.queueId}/items/${other.itemId}/reopen`, 'the ids of the other', { project_id }],
      [
        `/annotation_queues/${other.queueId}/items/${other.itemId}/progress`,
        'the ids of the other',
        { project_id, annotation_state: 'completed' },
      ],
      [
        `/annotation_queues/${own.queueId}/items/${other.itemId}/progress`,
        'an item of the other',
        { project_id, annotation_state: 'skipped' },
      ],
      [
        '/calls/stream_query',
        'a queue of the other',
        { project_id, query: { $expr: { $eq: [{ $getField: 'annotation_queue_items.queue_id' }, { $literal: other.queueId }] } } },
      ],
      ['/feedback/create', 'a queue of the other', { ...feedbackOn(own), project_id, queue_id: other.queueId }],
      ['/calls/stream_query', 'everything afterwards', { project_id, expand_columns: ['inputs.ref'] }],
      ['/service/projects_info', 'the other', { project_ids: [other.project_id] }],
    ]
  }

  test('by no id, reference, digest, filter or order', async () => {
    const other = await aFilledProject(app, marker)
    const own = await aFilledProject(app, 'mine')
    const held = await contentOf(app, other)
    const apiKey = await created({ role: 'admin', projects: [{ project_id: own.project_id, role: 'admin' }] })
    const ref = `weave:///${other.project_id}/object/${objectName}:${other.objectDigest}`
    const trap = aCall({ project_id: own.project_id, id: newId(), inputs: { ref, part: `${ref}/key/part` }, output: ref })
    expect((await sendRaw(app, { path: `/v2/${own.project_id}/calls/complete`, body: { batch: [trap] }, apiKey })).status).toBe(200)
    for (const [path, what, body] of attempts(own, other)) {
      const answer = await sendRaw(app, { path, body, apiKey })
      expect(`${path} with ${what}: ${answer.text}`).not.toContain(marker)
      expect(answer.status).toBeLessThan(500)
      if (what === 'a search behind refs') expect(answer.text).toBe('')
      if (what === 'a count behind refs') expect(answer.body).toMatchObject({ count: 0 })
      if (what === 'a queue of the other')
        expect([answer.text, answer.status]).toEqual(path === '/feedback/create' ? [expect.any(String), 400] : ['', 200])
      if (path === '/link_to_registry') expect(answer.status).toBe(403)
      if (path.startsWith('/objs/') && path.endsWith('remove')) expect(answer.status).toBe(200)
      if (path === '/obj/read' || path === '/obj/delete' || path === '/file/content') expect(answer.status).toBe(404)
    }
    for (const path of ['/tags', '/aliases']) {
      const list = (projectId: string) =>
        sendRaw(app, { method: 'GET', path: `${path}?project_id=${encodeURIComponent(projectId)}`, apiKey })
      expect((await list(own.project_id)).text).not.toContain(marker)
      expect(await list(other.project_id)).toMatchObject({ status: 403, body: { reason: 'Forbidden' } })
    }
    const queuePath = `/annotation_queues/${other.queueId}?project_id=${encodeURIComponent(own.project_id)}`
    for (const method of ['GET', 'DELETE'])
      expect(await sendRaw(app, { method, path: queuePath, apiKey })).toMatchObject({ status: 404, body: { reason: expect.any(String) } })
    const rename = {
      method: 'PUT',
      path: `/annotation_queues/${other.queueId}`,
      body: { project_id: own.project_id, name: 'mine' },
      apiKey,
    }
    expect((await sendRaw(app, rename)).status).toBe(404)
    expect(await contentOf(app, other)).toEqual(held)
  })
})
