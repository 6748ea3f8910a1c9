import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { repeatSweep } from '@heddle/datastore'
import { createScoring } from './scoring/scoring.ts'
import { startTombstoneSweeper } from './tombstone-sweeper.ts'
import { createEvaluationCalls } from './evaluation-calls/evaluation-calls.ts'
import { createSourceFiles } from './object-collection/source-files.ts'
import { maskSecrets } from './payload/mask-secrets.ts'
import { createModelProviders } from './providers/model-providers.ts'
import { createAnnotationQueues } from './resources/annotation-queues/annotation-queues.ts'
import { auditHandlers } from './resources/audit-log/audit-handlers.ts'
import { findInterruptedEntry } from './resources/audit-log/audit-event.ts'
import { auditLogHandlers } from './resources/audit-log/audit-log-handlers.ts'
import { sqlAuditLogStore } from './resources/audit-log/audit-log-store.sql.ts'
import { createCalls } from './resources/calls/calls.ts'
import type { WriteContext } from './resources/calls/write/call-input.ts'
import { createCosts } from './resources/costs/costs.ts'
import { defaultPrices } from './resources/costs/default-prices.ts'
import { createDatasets } from './resources/datasets/datasets.ts'
import { createEvaluationRuns } from './resources/evaluation-runs/evaluation-runs.ts'
import { createEvalResults } from './resources/eval-results/eval-results.ts'
import { createEvaluations } from './resources/evaluations/evaluations.ts'
import { createFeedback } from './resources/feedback/feedback.ts'
import { createFiles } from './resources/files/files.ts'
import { createCompletions } from './resources/completions/completions.ts'
import { createImages } from './resources/images/images.ts'
import { emptyCatalogue } from './resources/inference/catalogue.ts'
import { inferenceHandlers } from './resources/inference/inference-handlers.ts'
import { createModels } from './resources/models/models.ts'
import { createMonitors } from './resources/monitors/monitors.ts'
import { createObjects } from './resources/objects/objects.ts'
import { createOps } from './resources/ops/ops.ts'
import { createOtel } from './resources/otel/otel.ts'
import { createPredictions } from './resources/predictions/predictions.ts'
import { sqlMadeByKeysStore } from './resources/project-keys/made-by-keys-store.sql.ts'
import { projectKeysHandlers } from './resources/project-keys/project-keys-handlers.ts'
import { createProjects } from './resources/projects/projects.ts'
import { createRetention } from './resources/projects/retention.ts'
import { sqlRetentionStore } from './resources/projects/retention-store.sql.ts'
import { createRefs } from './resources/refs/refs.ts'
import { createRegistry } from './resources/registry/registry.ts'
import { createScorers } from './resources/scorers/scorers.ts'
import { createScores } from './resources/scores/scores.ts'
import { serviceHandlers } from './resources/service/service-handlers.ts'
import { createServiceConfiguration } from './resources/service/service-configuration.ts'
import { unknownStorage } from './resources/service/service-storage.ts'
import { createServiceStats } from './resources/service/service-stats.ts'
import { createSharedTraces } from './resources/shared-traces/shared-traces.ts'
import { createTables } from './resources/tables/tables.ts'
import { createThreads } from './resources/threads/threads.ts'
import { createEvaluationEnds, findEndedEvaluation } from './resources/webhooks/evaluation-ends.ts'
import { createAnnounceMentions } from './resources/webhooks/mention-event.ts'
import { createWebhooks } from './resources/webhooks/webhooks.ts'
import { defaultIngestRules, type TracingDeps } from './tracing-deps.ts'
import { createPlatform } from './create-platform.ts'

/** Jobs that this server runs at the same time. */
const jobsAtOnce = 8
/** Of one attempt. */
const jobLimitMs = 24 * 3_600_000

/** All resources, each after those whose records it reads: records first, then views over them and gateways to them. */
export function createResources(deps: TracingDeps & Required<Pick<TracingDeps, 'admission' | 'requests' | 'limiter'>>) {
  const { masksCredentials, spanConflicts } = deps.ingest ?? defaultIngestRules
  const platform = createPlatform(deps)
  const outgoing = deps.outgoing ?? createOutgoing({ allowed: parseAllowedTargets([]) })
  const openProject = (projectId: string, signal: AbortSignal) => deps.identity.openForWork(projectId, { caller: 'jobs', signal })
  const webhooks = createWebhooks(platform, { outgoing, openProject }, deps.webhooks)
  const retention = createRetention({ store: sqlRetentionStore(deps.database), clock: deps.clock })

  const files = createFiles(platform)
  const objects = createObjects(platform, files)
  const tables = createTables(platform)
  const refs = createRefs(platform, { ...objects, ...tables })
  const costs = createCosts(platform, { defaults: deps.prices ?? defaultPrices })
  const annotationQueues = createAnnotationQueues(platform)
  const feedback = createFeedback(platform, { ...refs, ...annotationQueues, onFeedbackStored: createAnnounceMentions(platform) })
  const mask: WriteContext['mask'] = masksCredentials ? maskSecrets : (payload) => payload
  const evaluationEnds = createEvaluationEnds(platform)
  const { callsDeletedAtOnce } = deps
  const written = { retention, mask, evaluationEnds, callsDeletedAtOnce }
  const calls = createCalls(platform, { ...refs, ...costs, ...feedback, ...annotationQueues, ...written })

  const sharedTraces = createSharedTraces(platform, { calls: calls.store, isEnabled: deps.publicLinks ?? true })

  const sources = createSourceFiles({ ...files, clock: deps.clock })
  const collections = { ...platform, ...objects }
  const ops = createOps(collections, { sources })
  const datasets = createDatasets(collections, tables)
  const scorers = createScorers(collections, { sources, ...objects })
  const models = createModels(collections, { sources })
  const providers = deps.providers ?? createModelProviders([], undefined)
  const scoring = createScoring({ ...refs, ...feedback, providers, outgoing, fillsPrompts: deps.fillsPrompts ?? true })
  const evaluationCalls = createEvaluationCalls(platform, { ...calls, ...objects, mask })
  const evaluations = createEvaluations(collections, { ...objects, ...calls, ...tables, ...refs, evaluationCalls, scoring, providers })
  const evaluationRuns = createEvaluationRuns(platform, evaluationCalls)
  const predictions = createPredictions(platform, evaluationCalls)
  const scores = createScores(platform, { ...objects, ...feedback, evaluationCalls, scoring, providers })
  const evalResults = createEvalResults(platform, { writer: calls.writer, tableRows: tables.rows, ...costs })
  const threads = createThreads(platform)
  const registry = createRegistry(platform, objects)
  const otel = createOtel({
    spans: deps.spans,
    options: { conflicts: spanConflicts, maskSecrets: masksCredentials },
    ensureOps: objects.ensureOps,
    writer: calls.writer,
  })
  const completions = createCompletions(platform, { providers, outgoing, writer: calls.writer, mask, openProject })
  const images = createImages(platform, { providers, outgoing, writer: calls.writer })
  const projects = createProjects(platform, {
    ...costs,
    retention,
    limiter: deps.limiter,
    calls: calls.store,
    objects: objects.objects,
    files: files.files,
    tables: tables.rows,
  })
  const sweeper = startTombstoneSweeper({
    analytical: deps.analytical,
    onError: (error) => deps.log?.error({ err: error }, 'failed to purge deleted calls and feedback; will retry on next sweep'),
  })

  const jobSweeper = repeatSweep((signal) => platform.jobs.sweep(signal), {
    onError: (error) => deps.log?.error({ err: error }, 'failed to remove finished jobs; will retry on next sweep'),
  })
  const linkSweeper = sharedTraces.startSweeper()
  const monitors = createMonitors(platform, { ...objects, ...costs, calls: calls.store, scoring, openProject }, deps.monitorTimes)
  const monitorSweeper = providers.hasAny ? monitors.start() : undefined
  const kinds = { ...calls.jobKinds, ...(providers.hasAny && { ...evaluations.jobKinds, ...scores.jobKinds }) }
  const worker = platform.jobs.startWorker({
    kinds,
    concurrency: jobsAtOnce,
    timeLimitMs: jobLimitMs,
    openProject,
    isOnlyServer: !deps.sharesStore,
  })
  const auditLog = sqlAuditLogStore(deps.database, platform.outbox)
  const webhooksWorker = webhooks.start({
    'evaluation.finished': findEndedEvaluation({ calls: calls.store }),
    'audit.entry': findInterruptedEntry({ auditLog }),
  })

  const { admission, requests, clock, server } = deps
  const readStats = createServiceStats({
    ...platform,
    ...calls,
    version: deps.info.version,
    admission,
    requests,
    clock,
    server,
    rejectedSpans: otel.rejectedSpans,
  })

  const { limits, budget, ingest = defaultIngestRules } = deps
  const readStorage = server?.readStorage ?? (async () => unknownStorage)
  const readConfiguration = createServiceConfiguration({
    outgoing: server?.outgoing ?? null,
    ingest,
    publicLinks: deps.publicLinks ?? true,
    limits,
    budget,
    admission,
    limiter: deps.limiter,
  })

  const handlers = {
    annotationQueues: annotationQueues.handlers,
    calls: calls.handlers,
    feedback: feedback.handlers,
    completions: completions.handlers,
    costs: costs.handlers,
    files: files.handlers,
    objects: objects.handlers,
    tables: tables.handlers,
    refs: refs.handlers,
    registry: registry.handlers,
    sharedTraces: sharedTraces.handlers,
    threads: threads.handlers,
    webhooks: webhooks.handlers,
    ops: ops.handlers,
    datasets: datasets.handlers,
    scorers: scorers.handlers,
    models: models.handlers,
    monitors: monitors.handlers,
    evaluations: evaluations.handlers,
    evaluationRuns: evaluationRuns.handlers,
    predictions: predictions.handlers,
    scores: scores.handlers,
    evalResults: evalResults.handlers,
    otel: otel.handlers,
    images: images.handlers,
    inference: inferenceHandlers({ catalogue: deps.catalogue ?? emptyCatalogue }),
    projectKeys: projectKeysHandlers({ ...platform, made: sqlMadeByKeysStore(deps.database, deps.clock) }),
    projects: projects.handlers,
    service: serviceHandlers({ info: deps.info, readStats, readConfiguration, readStorage }),
    auditLog: auditLogHandlers({ auditLog }),
  }

  return {
    handlers: auditHandlers(handlers, { auditLog, ...platform }),
    async close() {
      await monitorSweeper?.close()
      await Promise.all([worker.stop(), webhooksWorker.stop()])
      for (const started of [files, objects, sweeper, otel, jobSweeper, linkSweeper]) await started.close()
    },
  }
}
