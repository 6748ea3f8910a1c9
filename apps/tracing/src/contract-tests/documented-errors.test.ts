import { randomUUID } from 'node:crypto'
import { isApiError, type Issue, tracing, type Operation } from '@heddle/core-api'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { z } from 'zod'
import { startTestApp, type TestApp, type TestClient } from '../testing/start-test-app.ts'
import { aFilledProject, contentOf } from './testing/filled-project.ts'
import { sampleProviders } from './testing/sample-providers.ts'
import { type Place, sampleRequests } from './testing/sample-requests.ts'

/** In all data of the other project. */
const marker = `secret-${randomUUID()}`
let app: TestApp
let own: Place
let other: Place
beforeAll(async () => {
  app = await startTestApp({ service: { providers: sampleProviders } })
  own = await aFilledProject(app, 'own')
  other = await aFilledProject(app, marker)
})
afterAll(() => app.close())

const operations = Object.entries(tracing).flatMap(([resource, group]) =>
  Object.entries<Operation>(group).map(([key, operation]) => ({ name: `${resource}.${key}`, resource, key, operation })),
)
type Named = (typeof operations)[number]
type Input = Record<string, unknown>

function sampleOf({ resource, key }: Named, place: Place): Input {
  const { project_id, callId } = place
  // A call that is not an evaluation is refused, so the common sample names none.
  if (`${resource}.${key}` === 'evaluations.status') return { project_id, call_id: callId }
  const samples = sampleRequests as unknown as Record<string, Record<string, (place: Place) => Input>>
  return samples[resource]?.[key]?.(place) ?? {}
}

interface Outcome {
  status: number
  /** The answer or the reason. */
  text: string
  issues: readonly Issue[]
}

async function outcomeOf({ resource, key }: Named, input: Input): Promise<Outcome> {
  try {
    const client = app.client as TestClient as unknown as Record<string, Record<string, (input: unknown) => unknown>>
    const answer = client[resource]?.[key]?.(input)
    const lines: unknown[] = []
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const line of answer as AsyncIterable<unknown>) lines.push(line)
    return { status: 200, text: JSON.stringify([await answer, lines]), issues: [] }
  } catch (error) {
    if (isApiError(error)) return { status: error.status, text: error.message, issues: error.issues ?? [] }
    throw error
  }
}

const tried = [{ a: 1 }, [1], 7, 'text', true]

interface Field {
  named: Named
  where: 'body' | 'query'
  field: string
  accepts(value: unknown): boolean
}

/** Every field that the body or the query of an operation declares. */
const fields = operations.flatMap((named): Field[] =>
  (['body', 'query'] as const).flatMap((where) =>
    Object.entries(named.operation[where]?.shape ?? {}).map(([field, schema]) => ({
      named,
      where,
      field,
      accepts: (value) => (schema as z.ZodType).safeParse(value).success,
    })),
  ),
)

/** The places at which a request was refused as a whole, and where something is missing; its status where it was answered otherwise. */
async function refusedAt(named: Named, input: Input): Promise<unknown> {
  const { status, issues } = await outcomeOf(named, input)
  if (status !== 422) return status
  return issues.map(({ loc, type }) => `${loc[0]}.${loc[1]}${type === 'missing' && loc.length === 2 ? ' missing' : ''}`)
}

test('a request without a field that it needs is answered with 422, which names the field, by every operation', async () => {
  const needed = fields.filter(({ accepts }) => !accepts(undefined))
  expect(needed.length).toBeGreaterThan(100)
  for (const { named, where, field } of needed) {
    const { [field]: _, ...rest } = sampleOf(named, own)
    expect([named.name, await refusedAt(named, rest)]).toEqual([named.name, [`${where}.${field} missing`]])
  }
})

test('a field of a wrong type is answered with 422, which names the field, by every operation', async () => {
  let refused = 0
  for (const [at, { named, where, field, accepts }] of fields.entries()) {
    // All of a query is text, and a list of one is written as that one.
    const wrong = where === 'body' ? tried.filter((value) => !accepts(value)) : accepts('text') || accepts(['text']) ? [] : ['text']
    // One of them for each field, or all.
    for (const value of wrong.filter((_, index) => inject('long') || index === at % wrong.length)) {
      refused++
      const places = await refusedAt(named, { ...sampleOf(named, own), [field]: value })
      expect([named.name, value, places]).toEqual([named.name, value, expect.arrayContaining([`${where}.${field}`])])
    }
  }
  expect(refused).toBeGreaterThan(inject('long') ? 1_000 : 250)
})

/** What is said of an id that the project does not have. All other operations have nothing to say of it, or nothing to do. */
const saidOfUnknown: Readonly<Record<number, readonly string[]>> = {
  400: ['annotationQueues.updateProgress'],
  404: [
    ...['read', 'update', 'delete', 'addCalls', 'itemsBeside', 'claimItems', 'claimItem', 'releaseItem', 'reopenItem'].map(
      (key) => `annotationQueues.${key}`,
    ),
    ...['datasets', 'evaluations', 'models', 'ops', 'scorers'].flatMap((resource) => [`${resource}.read`, `${resource}.delete`]),
    ...['evaluationRuns', 'predictions'].flatMap((resource) => [`${resource}.read`, `${resource}.finish`]),
    'scores.create',
    'scores.read',
    'objects.read',
    'objects.delete',
    'objects.addTags',
    'objects.setAliases',
    'calls.streamTrace',
    'dataDeletions.read',
    'files.content',
    'projectKeys.revoke',
    'refs.readBatch',
    'registry.link',
    'sharedTraces.create',
    'tables.update',
    'webhooks.delete',
    'webhooks.test',
  ],
}
const statusOfUnknown = ({ name }: Named) => Number(Object.entries(saidOfUnknown).find(([, names]) => names.includes(name))?.[0] ?? 200)

test('an id that does not exist, and one of another project, are answered alike by every operation that takes one', async () => {
  const [digest, id] = ['u'.repeat(43), randomUUID()]
  const digests = { objectDigest: digest, tableDigest: digest, rowDigest: digest, fileDigest: digest }
  const ids = { callId: id, traceId: id, feedbackId: id, keyId: id, webhookId: id, linkId: id, queueId: id, itemId: id, deletionId: id }
  // A token is not an id: its owner may read.
  const { project_id, linkToken } = own
  const unknown: Place = { ...digests, ...ids, project_id, linkToken }
  const foreign: Place = { ...other, project_id, linkToken }
  const held = await contentOf(app, other)
  const taking = operations.filter((named) => [digest, id].some((each) => JSON.stringify(sampleOf(named, unknown)).includes(each)))
  expect(taking.length).toBeGreaterThan(50)
  for (const named of taking) {
    const [ofUnknown, ofForeign] = [await outcomeOf(named, sampleOf(named, unknown)), await outcomeOf(named, sampleOf(named, foreign))]
    const status = statusOfUnknown(named)
    expect([named.name, ofUnknown.status, ofForeign.status]).toEqual([named.name, status, status])
    expect(ofForeign.text).not.toContain(marker)
  }
  expect(await contentOf(app, other)).toEqual(held)
})
