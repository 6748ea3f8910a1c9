import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { unboundedPlaces } from '../testing/unbounded-places.ts'
import { unboundedSchemas } from '../testing/unbounded-schemas.ts'
import { unboundedProperties, unboundedTexts } from '../testing/unbounded-texts.ts'
import { tracing } from './index.ts'

const operations = Object.entries(tracing).flatMap(([resource, contract]) =>
  Object.entries(contract as Record<string, Operation>).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
)

test('the operations have the methods and paths of the interface', () => {
  expect(operations.map(({ name, operation }) => `${operation.method} ${operation.path} ${name}`)).toEqual([
    'POST /annotation_queues annotationQueues.create',
    'POST /annotation_queues/query annotationQueues.streamQuery',
    'POST /annotation_queues/stats annotationQueues.stats',
    'GET /annotation_queues/{queue_id} annotationQueues.read',
    'PUT /annotation_queues/{queue_id} annotationQueues.update',
    'DELETE /annotation_queues/{queue_id} annotationQueues.delete',
    'POST /annotation_queues/{queue_id}/items annotationQueues.addCalls',
    'POST /annotation_queues/{queue_id}/items/query annotationQueues.queryItems',
    'POST /annotation_queues/{queue_id}/items/{item_id}/beside annotationQueues.itemsBeside',
    'POST /annotation_queues/{queue_id}/items/claim annotationQueues.claimItems',
    'POST /annotation_queues/{queue_id}/items/{item_id}/claim annotationQueues.claimItem',
    'POST /annotation_queues/{queue_id}/items/{item_id}/release annotationQueues.releaseItem',
    'POST /annotation_queues/{queue_id}/items/{item_id}/progress annotationQueues.updateProgress',
    'POST /annotation_queues/{queue_id}/items/{item_id}/reopen annotationQueues.reopenItem',
    'POST /project/audit_log/query auditLog.query',
    'POST /call/start calls.start',
    'POST /call/end calls.end',
    'POST /call/upsert_batch calls.upsertBatch',
    'POST /v2/{entity}/{project}/call/start calls.startV2',
    'POST /v2/{entity}/{project}/call/end calls.endV2',
    'POST /v2/{entity}/{project}/calls/complete calls.complete',
    'POST /call/read calls.read',
    'POST /calls/stream_query calls.streamQuery',
    'POST /calls/stream_trace calls.streamTrace',
    'POST /calls/query calls.query',
    'POST /calls/query_stats calls.queryStats',
    'POST /calls/stats calls.stats',
    'POST /calls/usage_totals calls.usageTotals',
    'POST /calls/trace_totals calls.traceTotals',
    'POST /calls/usage calls.usage',
    'POST /trace/usage calls.traceUsage',
    'POST /call/update calls.update',
    'POST /calls/delete calls.delete',
    'POST /completions/create completions.create',
    'POST /completions/create_stream completions.createStream',
    'POST /completions/providers completions.providers',
    'POST /cost/create costs.create',
    'POST /cost/query costs.query',
    'POST /cost/purge costs.purge',
    'POST /project/data_deletions/start dataDeletions.start',
    'POST /project/data_deletions/read dataDeletions.read',
    'POST /project/data_deletions/query dataDeletions.query',
    'GET /v2/{entity}/{project}/datasets datasets.list',
    'POST /v2/{entity}/{project}/datasets datasets.create',
    'GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest} datasets.read',
    'DELETE /v2/{entity}/{project}/datasets/{object_id} datasets.delete',
    'POST /v2/{entity}/{project}/eval_results/query evalResults.query',
    'POST /v2/{entity}/{project}/evaluation_runs evaluationRuns.create',
    'GET /v2/{entity}/{project}/evaluation_runs evaluationRuns.list',
    'GET /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id} evaluationRuns.read',
    'POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish evaluationRuns.finish',
    'DELETE /v2/{entity}/{project}/evaluation_runs evaluationRuns.delete',
    'GET /v2/{entity}/{project}/evaluations evaluations.list',
    'POST /v2/{entity}/{project}/evaluations evaluations.create',
    'GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest} evaluations.read',
    'DELETE /v2/{entity}/{project}/evaluations/{object_id} evaluations.delete',
    'POST /evaluations/evaluate_model evaluations.evaluateModel',
    'POST /evaluations/status evaluations.status',
    'POST /feedback/create feedback.create',
    'POST /feedback/batch/create feedback.createBatch',
    'POST /feedback/query feedback.query',
    'POST /feedback/purge feedback.purge',
    'POST /feedback/replace feedback.replace',
    'POST /feedback/stats feedback.stats',
    'POST /feedback/payload_schema feedback.payloadSchema',
    'POST /feedback/aggregate feedback.aggregate',
    'POST /file/create files.create',
    'POST /file/content files.content',
    'POST /files/query_stats files.queryStats',
    'POST /image/create images.create',
    'GET /inference/analysis/{analysis_vendor}/models inference.analysisModels',
    'GET /inference/router/{router_vendor}/models inference.routerModels',
    'GET /inference/{hardware_vendor}/v2/hardware inference.hardware',
    'GET /v2/{entity}/{project}/models models.list',
    'POST /v2/{entity}/{project}/models models.create',
    'GET /v2/{entity}/{project}/models/{object_id}/versions/{digest} models.read',
    'DELETE /v2/{entity}/{project}/models/{object_id} models.delete',
    'GET /v2/{entity}/{project}/monitors monitors.list',
    'POST /obj/create objects.create',
    'POST /obj/read objects.read',
    'POST /objs/query objects.query',
    'POST /obj/delete objects.delete',
    'PUT /objs/{object_id}/versions/{digest}/tags objects.addTags',
    'POST /objs/{object_id}/versions/{digest}/tags/remove objects.removeTags',
    'PUT /objs/{object_id}/aliases objects.setAliases',
    'POST /objs/{object_id}/aliases/remove objects.removeAliases',
    'POST /objs/{object_id}/aliases/history objects.aliasHistory',
    'GET /tags objects.listTags',
    'GET /aliases objects.listAliases',
    'GET /v2/{entity}/{project}/ops ops.list',
    'POST /v2/{entity}/{project}/ops ops.create',
    'GET /v2/{entity}/{project}/ops/{object_id}/versions/{digest} ops.read',
    'DELETE /v2/{entity}/{project}/ops/{object_id} ops.delete',
    'POST /otel/v1/traces otel.exportTrace',
    'POST /otel/v1/logs otel.exportLogs',
    'POST /v2/{entity}/{project}/predictions predictions.create',
    'GET /v2/{entity}/{project}/predictions predictions.list',
    'GET /v2/{entity}/{project}/predictions/{prediction_id} predictions.read',
    'POST /v2/{entity}/{project}/predictions/{prediction_id}/finish predictions.finish',
    'DELETE /v2/{entity}/{project}/predictions predictions.delete',
    'POST /project/keys/query projectKeys.query',
    'POST /project/keys/create projectKeys.create',
    'POST /project/keys/revoke projectKeys.revoke',
    'POST /project/keys/made/query projectKeys.queryMade',
    'POST /project/query projects.query',
    'POST /project/stats projects.stats',
    'POST /project/under_way/read projects.readUnderWay',
    'POST /project/members/query projects.queryMembers',
    'POST /project/deletions/query projects.queryDeletions',
    'POST /project/ttl_settings/read projects.readTtlSettings',
    'POST /project/ttl_settings/update projects.updateTtlSettings',
    'POST /project/limits/read projects.readLimits',
    'POST /project/limits/update projects.updateLimits',
    'POST /refs/read_batch refs.readBatch',
    'POST /link_to_registry registry.link',
    'GET /v2/{entity}/{project}/scorers scorers.list',
    'POST /v2/{entity}/{project}/scorers scorers.create',
    'GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest} scorers.read',
    'DELETE /v2/{entity}/{project}/scorers/{object_id} scorers.delete',
    'POST /v2/{entity}/{project}/scores scores.create',
    'POST /calls/score scores.scoreCalls',
    'GET /v2/{entity}/{project}/scores scores.list',
    'GET /v2/{entity}/{project}/scores/{score_id} scores.read',
    'DELETE /v2/{entity}/{project}/scores scores.delete',
    'GET /health service.health',
    'GET /version service.version',
    'GET /server_info service.serverInfo',
    'GET /service/stats service.stats',
    'GET /service/configuration service.configuration',
    'GET /service/storage service.storage',
    'GET /service/history service.history',
    'GET /geolocate service.geolocate',
    'POST /service/projects_info service.projectsInfo',
    'POST /project/shared_traces/create sharedTraces.create',
    'POST /project/shared_traces/list sharedTraces.list',
    'POST /trace/shared/read sharedTraces.read',
    'POST /trace/shared/tree sharedTraces.streamTrace',
    'POST /trace/shared/calls sharedTraces.streamCalls',
    'POST /trace/shared/call sharedTraces.readCall',
    'POST /project/shared_traces/delete sharedTraces.delete',
    'POST /table/create tables.create',
    'POST /table/create_from_digests tables.createFromDigests',
    'POST /table/update tables.update',
    'POST /table/query tables.query',
    'POST /table/query_stream tables.queryStream',
    'POST /table/query_stats tables.queryStats',
    'POST /table/query_stats_batch tables.queryStatsBatch',
    'POST /threads/stream_query threads.streamQuery',
    'POST /threads/stream_turns threads.streamTurns',
    'POST /project/webhooks/create webhooks.create',
    'POST /project/webhooks/list webhooks.list',
    'POST /project/webhooks/delete webhooks.delete',
    'POST /project/webhooks/test webhooks.test',
  ])
})

describe.each(operations)('$name', ({ operation }) => {
  test('declares every parameter of its path and one kind of body at most', () => {
    const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(operation.params?.shape ?? {})).toEqual(named)
    expect([operation.body, operation.multipart, operation.bytes].filter(Boolean).length).toBeLessThanOrEqual(1)
  })

  test('describes every field that a caller gives', () => {
    const fields = [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      Object.entries(part?.shape ?? {}),
    )
    const envelopes = new Set(['start', 'end', 'obj', 'table'])
    expect(fields.filter(([name, field]) => !envelopes.has(name) && !field.description).map(([name]) => name)).toEqual([])
  })
})

test('all of the service but the projects, the listings of models, and what public links show, are open', () => {
  const open = operations.filter(({ operation }) => operation.open).map(({ name }) => name)
  expect(open).toEqual([
    'inference.analysisModels',
    'inference.routerModels',
    'inference.hardware',
    'service.health',
    'service.version',
    'service.serverInfo',
    'service.geolocate',
    'sharedTraces.read',
    'sharedTraces.streamTrace',
    'sharedTraces.streamCalls',
    'sharedTraces.readCall',
  ])
})

test('the length of every list and every dictionary of a body is checked before its entries', () => {
  const places = operations.flatMap(({ name, operation }) => (operation.body ? unboundedSchemas(operation.body, name) : []))
  expect(places).toEqual([])
})

test('every list and every dictionary of a request has a documented maximum', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      part === undefined ? [] : unboundedPlaces(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places).toEqual([])
})

test('every id, name and reference of a request has a documented maximum; texts without one have a reason', () => {
  const places = operations.flatMap(({ name, operation }) =>
    [operation.params, operation.query, operation.headers, operation.body, operation.multipart].flatMap((part) =>
      part === undefined ? [] : unboundedTexts(z.toJSONSchema(part, { io: 'input' }), name),
    ),
  )
  expect(places.filter((place) => !Object.hasOwn(unboundedProperties, place.split('.').at(-1)!))).toEqual([])
})

test('a list without a maximum is found wherever it stands', () => {
  const hidden = z.object({ a: z.tuple([z.string(), z.array(z.string())]), b: z.record(z.string(), z.number()).nullish() })
  expect(unboundedPlaces(z.toJSONSchema(hidden, { io: 'input' }), 'x')).toHaveLength(2)
})

test('a text without a maximum is found wherever it stands', () => {
  const hidden = z.object({
    a: z.tuple([z.string(), z.object({ b: z.array(z.string()).nullish() })]),
    c: z.record(z.string(), z.union([z.number(), z.string()])),
    bounded: z.array(z.string().max(9)).nullable(),
    fixed: z.enum(['x']),
  })
  expect(unboundedTexts(z.toJSONSchema(hidden, { io: 'input' }), 'x').toSorted()).toEqual(['x.a', 'x.a.b', 'x.c'])
})

test('a list whose length is checked after its entries is found wherever it stands', () => {
  const hidden = z.object({
    a: z.tuple([z.array(z.string()).max(9)]),
    b: z.union([z.string(), z.record(z.string(), z.number())]).nullish(),
  })
  expect(unboundedSchemas(hidden, 'x')).toEqual(['x.shape.items', 'x.shape.innerType.innerType.options'])
})
