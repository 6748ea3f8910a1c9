import { randomUUID } from 'node:crypto'
import type { TestClient } from '../../testing/start-test-app.ts'
import { aCall, anEnd, aStart } from './call-builders.ts'

/** What a project holds that requests can name. */
export interface Place {
  project_id: string
  callId: string
  traceId: string
  objectDigest: string
  tableDigest: string
  rowDigest: string
  fileDigest: string
  feedbackId: string
  /** Id of an API key of the project. */
  keyId: string
  webhookId: string
  /** Id of a public link to the trace, and its token. */
  linkId: string
  linkToken: string
  queueId: string
  itemId: string
  /** Id of a deletion of data that finds nothing. */
  deletionId: string
}

export const objectName = 'thing'

type SampleOf<Function> = Function extends (...args: infer Arguments) => unknown ? (place: Place) => NonNullable<Arguments[0]> : never

/** One good request for each operation of the contract. A new operation does not compile until it has one. */
export type SampleRequests = { [R in keyof TestClient]: { [O in keyof TestClient[R]]: SampleOf<TestClient[R][O]> } }

const path = ({ project_id }: Place) => {
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project }
}
const versionOf = (place: Place) => ({ ...projectOf(place), object_id: objectName, digest: place.objectDigest })
const versionIn = (place: Place) => ({ ...path(place), object_id: objectName, digest: place.objectDigest })
const versionsIn = (place: Place) => ({ ...path(place), object_id: objectName, digests: [place.objectDigest] })
const projectOf = ({ project_id }: Place) => ({ project_id })
const queueOf = (place: Place) => ({ ...projectOf(place), queue_id: place.queueId })
const tokenOf = ({ linkToken }: Place) => ({ token: linkToken })
const tableOf = (place: Place) => ({ ...projectOf(place), digest: place.tableDigest })

export const sampleRequests: SampleRequests = {
  annotationQueues: {
    create: (place) => ({
      ...projectOf(place),
      name: 'changed',
      scorer_refs: [`weave:///${place.project_id}/object/spec:latest`],
      reviewers_per_item: 2,
      reservation_minutes: 30,
      item_order: 'random',
    }),
    streamQuery: (place) => ({ ...projectOf(place), name: 'review', sort_by: [{ field: 'name', direction: 'asc' }] }),
    stats: (place) => ({ ...projectOf(place), queue_ids: [place.queueId] }),
    read: queueOf,
    update: (place) => ({
      ...queueOf(place),
      description: 'changed',
      scorer_refs: [],
      reviewers_per_item: 3,
      reservation_minutes: 5,
      item_order: 'newest',
    }),
    delete: queueOf,
    addCalls: (place) => ({ ...queueOf(place), call_ids: [place.callId], display_fields: ['inputs.changed'] }),
    queryItems: (place) => ({
      ...queueOf(place),
      filter: { call_id: place.callId, annotation_states: ['unstarted'] },
      sort_by: [{ field: 'call_op_name', direction: 'desc' }],
      include_position: true,
    }),
    itemsBeside: (place) => ({ ...queueOf(place), item_id: place.itemId }),
    claimItems: (place) => ({ ...queueOf(place), limit: 2, lease_seconds: 60 }),
    claimItem: (place) => ({ ...queueOf(place), item_id: place.itemId, lease_seconds: 60 }),
    reopenItem: (place) => ({ ...queueOf(place), item_id: place.itemId }),
    releaseItem: (place) => ({ ...queueOf(place), item_id: place.itemId }),
    updateProgress: (place) => ({ ...queueOf(place), item_id: place.itemId, annotation_state: 'in_progress' }),
  },
  auditLog: { query: projectOf },
  calls: {
    start: (place) => ({ start: aStart(projectOf(place)) }),
    end: (place) => ({ end: anEnd({ ...projectOf(place), id: place.callId, output: 'changed' }) }),
    upsertBatch: (place) => ({ batch: [{ mode: 'start', req: { start: aStart(projectOf(place)) } }] }),
    startV2: (place) => ({ ...path(place), start: aStart(projectOf(place)) }),
    endV2: (place) => ({ ...path(place), end: anEnd({ ...projectOf(place), id: place.callId, output: 'changed' }) }),
    complete: (place) => ({ ...path(place), batch: [aCall(projectOf(place))] }),
    read: (place) => ({ ...projectOf(place), id: place.callId }),
    streamQuery: projectOf,
    query: projectOf,
    streamTrace: (place) => ({ ...projectOf(place), call_id: place.callId }),
    queryStats: projectOf,
    stats: (place) => ({ ...projectOf(place), start: '2026-03-01', end: '2026-03-02', call_metrics: [{ metric: 'call_count' }] }),
    usageTotals: (place) => ({ ...projectOf(place), start: '2026-03-01', end: '2026-03-02', group_by: 'op' }),
    traceTotals: (place) => ({ ...projectOf(place), start: '2026-03-01', end: '2026-03-02', min_calls: 1 }),
    usage: (place) => ({ ...projectOf(place), call_ids: [place.callId] }),
    traceUsage: projectOf,
    update: (place) => ({ ...projectOf(place), call_id: place.callId, display_name: 'changed' }),
    delete: (place) => ({ ...projectOf(place), call_ids: [place.callId] }),
  },
  completions: {
    create: (place) => ({ ...projectOf(place), inputs: { model: 'm', messages: [{ role: 'user', content: 'changed' }] } }),
    createStream: (place) => ({ ...projectOf(place), inputs: { model: 'm', messages: [{ role: 'user', content: 'changed' }] } }),
    providers: projectOf,
  },
  costs: {
    create: (place) => ({ ...projectOf(place), costs: { model: { prompt_token_cost: 1, completion_token_cost: 2 } } }),
    query: (place) => ({
      ...projectOf(place),
      fields: ['llm_id', 'effective_date'],
      query: { $expr: { $gte: [{ $getField: 'effective_date' }, { $literal: '2026-01-01' }] } },
      sort_by: [{ field: 'llm_id', direction: 'asc' }],
    }),
    purge: (place) => ({ ...projectOf(place), query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: place.callId }] } } }),
  },
  dataDeletions: {
    start: (place) => ({ ...projectOf(place), id: place.deletionId, selection: { kind: 'user', user_id: 'nobody' }, dry_run: true }),
    read: (place) => ({ ...projectOf(place), id: place.deletionId }),
    query: projectOf,
  },
  datasets: {
    list: path,
    create: (place) => ({ ...path(place), rows: [{ text: 'changed' }] }),
    read: versionIn,
    delete: versionsIn,
  },
  evaluationRuns: {
    create: (place) => ({ ...path(place), evaluation: 'changed', model: 'changed' }),
    list: path,
    read: (place) => ({ ...path(place), evaluation_run_id: place.callId }),
    finish: (place) => ({ ...path(place), evaluation_run_id: place.callId }),
    delete: (place) => ({ ...path(place), evaluation_run_ids: [place.callId] }),
  },
  evalResults: {
    query: (place) => ({ ...path(place), evaluation_call_ids: [place.callId], include_summary: true }),
  },
  evaluations: {
    evaluateModel: (place) => ({ ...projectOf(place), evaluation_ref: 'changed', model_ref: 'changed' }),
    status: (place) => ({ ...projectOf(place), call_id: 'changed' }),
    list: path,
    create: (place) => ({ ...path(place), name: 'changed-evaluation', dataset: 'changed' }),
    read: versionIn,
    delete: versionsIn,
  },
  feedback: {
    create: aNote,
    createBatch: (place) => ({ batch: [aNote(place)] }),
    query: (place) => ({ ...projectOf(place), fields: ['id', 'payload.note', 'scorer_ratings.a'] }),
    purge: (place) => ({ ...projectOf(place), query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: place.feedbackId }] } } }),
    replace: (place) => ({ ...aNote(place), feedback_id: place.feedbackId }),
    stats: (place) => ({ ...feedbackRange(place), metrics: [{ json_path: 'a.b', percentiles: [50] }] }),
    payloadSchema: feedbackRange,
    aggregate: (place) => ({ ...projectOf(place), after_ms: 1_772_323_200_000, before_ms: 1_772_409_600_000, group_by: ['scorer_id'] }),
  },
  files: {
    create: (place) => ({
      ...projectOf(place),
      files: [{ field: 'file', filename: 'f', content_type: undefined, bytes: Buffer.from('new') }],
    }),
    content: (place) => ({ ...projectOf(place), digest: place.fileDigest }),
    queryStats: projectOf,
  },
  images: {
    create: (place) => ({ ...projectOf(place), inputs: { model: 'dall-e-3', prompt: 'a loom' } }),
  },
  inference: {
    analysisModels: () => ({ analysis_vendor: 'any' }),
    routerModels: () => ({ router_vendor: 'any' }),
    hardware: () => ({ hardware_vendor: 'any', model: 'm' }),
  },
  models: {
    list: path,
    create: (place) => ({ ...path(place), name: 'changed-model', source_code: 'changed' }),
    read: versionIn,
    delete: versionsIn,
  },
  monitors: { list: path },
  objects: {
    create: (place) => ({ obj: { ...projectOf(place), object_id: objectName, val: 'changed' } }),
    read: (place) => ({ ...projectOf(place), object_id: objectName, digest: place.objectDigest }),
    query: (place) => ({ ...projectOf(place), filter: { object_ids: [objectName], is_op: false } }),
    addTags: (place) => ({ ...versionOf(place), tags: ['changed'] }),
    removeTags: (place) => ({ ...versionOf(place), tags: ['changed'] }),
    setAliases: (place) => ({ ...versionOf(place), aliases: ['changed'] }),
    removeAliases: (place) => ({ ...versionOf(place), aliases: ['changed'] }),
    aliasHistory: (place) => ({ ...projectOf(place), object_id: objectName }),
    listTags: projectOf,
    listAliases: projectOf,
    delete: (place) => ({ ...projectOf(place), object_id: objectName, digests: [place.objectDigest] }),
  },
  ops: {
    list: path,
    create: (place) => ({ ...path(place), name: 'changed' }),
    read: versionIn,
    delete: versionsIn,
  },
  otel: {
    exportTrace: (place) => ({ content_type: 'application/json', bytes: spanIn(place) }),
    exportLogs: (place) => ({ content_type: 'application/json', bytes: logRecordIn(place) }),
  },
  registry: {
    link: (place) => ({
      ref: `weave:///${place.project_id}/object/${objectName}:${place.objectDigest}`,
      target: { portfolio_name: 'changed', entity_name: path(place).entity, project_name: path(place).project },
      aliases: ['changed'],
    }),
  },
  refs: {
    readBatch: (place) => ({ refs: [`weave:///${place.project_id}/object/${objectName}:${place.objectDigest}`] }),
  },
  predictions: {
    create: (place) => ({ ...path(place), model: 'changed', inputs: { text: 'changed' }, output: 1 }),
    list: path,
    read: (place) => ({ ...path(place), prediction_id: place.callId }),
    finish: (place) => ({ ...path(place), prediction_id: place.callId }),
    delete: (place) => ({ ...path(place), prediction_ids: [place.callId] }),
  },
  projectKeys: {
    query: projectOf,
    create: (place) => ({ ...projectOf(place), name: 'sample', role: 'reader' }),
    revoke: (place) => ({ ...projectOf(place), key_id: place.keyId }),
    queryMade: projectOf,
  },
  projects: {
    query: () => ({}),
    stats: projectOf,
    readUnderWay: projectOf,
    queryMembers: projectOf,
    queryDeletions: projectOf,
    readTtlSettings: projectOf,
    updateTtlSettings: (place) => ({ ...projectOf(place), retention_days: null }),
    readLimits: projectOf,
    updateLimits: (place) => ({ ...projectOf(place), requests_per_minute: null }),
  },
  scorers: {
    list: path,
    create: (place) => ({ ...path(place), name: 'changed-scorer', op_source_code: 'changed' }),
    read: versionIn,
    delete: versionsIn,
  },
  scores: {
    scoreCalls: (place) => ({ ...projectOf(place), call_ids: [], scorer_refs: [] }),
    create: (place) => ({
      ...path(place),
      prediction_id: place.callId,
      scorer: `weave:///${place.project_id}/object/${objectName}:${place.objectDigest}`,
      value: 1,
    }),
    list: path,
    read: (place) => ({ ...path(place), score_id: place.callId }),
    delete: (place) => ({ ...path(place), score_ids: [place.callId] }),
  },
  service: {
    health: () => ({}),
    version: () => ({}),
    serverInfo: () => ({}),
    stats: () => ({}),
    configuration: () => ({}),
    storage: () => ({}),
    geolocate: () => ({}),
    history: () => ({ minutes: 5, step_minutes: 1 }),
    projectsInfo: (place) => ({ project_ids: [place.project_id] }),
  },
  tables: {
    create: (place) => ({ table: { ...projectOf(place), rows: [{ text: 'changed' }] } }),
    createFromDigests: (place) => ({ ...projectOf(place), row_digests: [place.rowDigest, place.rowDigest] }),
    update: (place) => ({
      ...projectOf(place),
      base_digest: place.tableDigest,
      updates: [{ append: { row: { text: 'changed' } } }, { pop: { index: 0 } }, { insert: { index: 0, row: { a: 1 } } }],
    }),
    query: tableOf,
    queryStream: tableOf,
    queryStats: tableOf,
    queryStatsBatch: (place) => ({ ...projectOf(place), digests: [place.tableDigest], include_storage_size: true }),
  },
  sharedTraces: {
    create: (place) => ({ ...projectOf(place), trace_id: place.traceId }),
    list: (place) => ({ ...projectOf(place), trace_id: place.traceId }),
    read: tokenOf,
    streamTrace: tokenOf,
    streamCalls: tokenOf,
    readCall: (place) => ({ ...tokenOf(place), call_id: place.callId }),
    delete: (place) => ({ ...projectOf(place), id: place.linkId }),
  },
  threads: {
    streamQuery: projectOf,
    streamTurns: (place) => ({ ...projectOf(place), thread_id: 'a' }),
  },
  webhooks: {
    // An address that no server may connect to.
    create: (place) => ({ ...projectOf(place), name: 'changed', url: 'http://127.0.0.1:1/', events: ['evaluation.finished'] }),
    list: projectOf,
    delete: (place) => ({ ...projectOf(place), webhook_id: place.webhookId }),
    test: (place) => ({ ...projectOf(place), webhook_id: place.webhookId }),
  },
}

/** A public link to a trace. */
export async function aLink(
  client: TestClient,
  to: { project_id: string; trace_id: string },
): Promise<Pick<Place, 'linkId' | 'linkToken'>> {
  const { shared_trace, token } = await client.sharedTraces.create(to)
  return { linkId: shared_trace.id, linkToken: token }
}

/** A deletion of the data of a user of whom there is none. */
export async function aDataDeletion(client: TestClient, { project_id }: { project_id: string }): Promise<Pick<Place, 'deletionId'>> {
  const deletionId = randomUUID()
  await client.dataDeletions.start({ project_id, id: deletionId, selection: { kind: 'user', user_id: 'nobody' } })
  return { deletionId }
}

/** A webhook that cannot be reached. */
export async function aWebhook(
  client: TestClient,
  { project_id, text }: { project_id: string; text: string },
): Promise<Pick<Place, 'webhookId'>> {
  const { webhook } = await client.webhooks.create({ project_id, name: text, url: 'http://127.0.0.1:1/', events: ['evaluation.finished'] })
  return { webhookId: webhook.id }
}

/** A queue with a call in it. */
export async function aQueue(
  client: TestClient,
  { project_id, call_id, text }: { project_id: string; call_id: string; text: string },
): Promise<Pick<Place, 'queueId' | 'itemId'>> {
  const queue = { name: `Review ${text}`, description: text, scorer_refs: [`weave:///${project_id}/object/${text}:latest`] }
  const { id: queue_id } = await client.annotationQueues.create({ project_id, ...queue })
  await client.annotationQueues.addCalls({ project_id, queue_id, call_ids: [call_id], display_fields: [text] })
  const { items } = await client.annotationQueues.queryItems({ project_id, queue_id })
  return { queueId: queue_id, itemId: items[0]?.id ?? '' }
}

function aNote({ project_id, callId }: Place) {
  return { project_id, weave_ref: `weave:///${project_id}/call/${callId}`, feedback_type: 'wandb.note.1', payload: { note: 'changed' } }
}

function feedbackRange(place: Place) {
  return { ...projectOf(place), start: '2026-03-01', end: '2026-03-02' }
}

const spanIds = { traceId: '0102030405060708090a0b0c0d0e0f10', spanId: '0102030405060708' }

function spanIn(place: Place): Uint8Array<ArrayBuffer> {
  const span = { ...spanIds, name: 'span', startTimeUnixNano: '1', endTimeUnixNano: '2' }
  return jsonBytesOf({ resourceSpans: [{ resource: resourceOf(place), scopeSpans: [{ spans: [span] }] }] })
}

function logRecordIn(place: Place): Uint8Array<ArrayBuffer> {
  const record = { ...spanIds, timeUnixNano: '1', eventName: 'gen_ai.user.message', body: { stringValue: 'Why?' } }
  return jsonBytesOf({ resourceLogs: [{ resource: resourceOf(place), scopeLogs: [{ logRecords: [record] }] }] })
}

function resourceOf(place: Place) {
  const { entity, project } = path(place)
  const names = Object.entries({ 'wandb.entity': entity, 'wandb.project': project })
  return { attributes: names.map(([key, stringValue]) => ({ key, value: { stringValue } })) }
}

const jsonBytesOf = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)))
