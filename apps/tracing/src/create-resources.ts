import { repeatSweep } from '@heddle/datastore'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { handlersOf } from '@heddle/service-kit'
import { createPlatform } from './create-platform.ts'
import { createRecords } from './create-records.ts'
import { createViews } from './create-views.ts'
import { createDataDeletions } from './views/data-deletions/data-deletions.ts'
import { startDeletionsUpkeep } from './deletions/deletions-upkeep.ts'
import { maskSecrets } from './payload/mask-secrets.ts'
import { createModelProviders } from './providers/model-providers.ts'
import type { WriteContext } from './records/calls/write/call-input.ts'
import { createRecordOwnCalls } from './records/calls/write/record-own-calls.ts'
import { readDefaultPrices } from './records/costs/default-prices.ts'
import { startTombstoneSweeper } from './tombstone-sweeper.ts'
import { defaultIngestRules, type TracingDeps } from './tracing-deps.ts'
import { findInterruptedEntry } from './views/audit-log/audit-event.ts'
import { auditHandlers } from './views/audit-log/audit-handlers.ts'
import { auditLogHandlers } from './views/audit-log/audit-log-handlers.ts'
import { sqlAuditLogStore } from './views/audit-log/audit-log-store.sql.ts'
import { createParquetExport } from './views/parquet-export/parquet-export.ts'
import { sqlListProjects } from './views/parquet-export/project-ids-store.sql.ts'
import { createServiceConfiguration } from './views/service/service-configuration.ts'
import { serviceHandlers } from './views/service/service-handlers.ts'
import { createServiceHistory } from './views/service/service-history.ts'
import { createServiceStats } from './views/service/service-stats.ts'
import { unknownStorage } from './views/service/service-storage.ts'
import { createEvaluationEnds, findEndedEvaluation } from './views/webhooks/evaluation-ends.ts'
import { createAnnounceMentions } from './views/webhooks/mention-event.ts'
import { createWebhooks } from './views/webhooks/webhooks.ts'

/** Jobs that this server runs at the same time. */
const jobsAtOnce = 8
/** Time limit of one attempt. */
const jobLimitMs = 24 * 3_600_000

type ResourcesDeps = TracingDeps & Required<Pick<TracingDeps, 'admission' | 'requests' | 'limiter'>>

/** All resources: records, the views over them, and what reports on the service itself; then the work that no request waits for. */
export function createResources(deps: ResourcesDeps) {
  const { ingest = defaultIngestRules, publicLinks = true, server, limiter, log, removedAtOnce, prices } = deps
  const providers = deps.providers ?? createModelProviders([], undefined)
  const outgoing = deps.outgoing ?? createOutgoing({ allowed: parseAllowedTargets([]) })
  const openProject = (projectId: string, signal: AbortSignal) => deps.identity.openForWork(projectId, { caller: 'jobs', signal })
  const mask: WriteContext['mask'] = ingest.masksCredentials ? maskSecrets : (payload) => payload

  const platform = createPlatform(deps)
  const records = createRecords(platform, {
    readPrices: prices ? () => Promise.resolve(prices) : readDefaultPrices,
    mask,
    evaluationEnds: createEvaluationEnds(platform),
    onFeedbackStored: createAnnounceMentions(platform),
    limiter,
    removedAtOnce,
  })
  const views = createViews(platform, records, { deps, ingest, publicLinks, providers, outgoing, mask, openProject })
  const dataDeletions = createDataDeletions(platform, records)
  const webhooks = createWebhooks(platform, { outgoing, openProject }, deps.webhooks)
  const auditLog = sqlAuditLogStore(deps.database, platform.outbox)
  const reported = { ...platform, admission: deps.admission, requests: deps.requests, server, rejectedSpans: views.otel.rejectedSpans }
  const history = createServiceHistory(reported)
  const service = serviceHandlers({
    info: deps.info,
    readStats: createServiceStats({
      ...reported,
      version: deps.info.version,
      cacheStats: records.calls.cache.stats,
    }),
    readConfiguration: createServiceConfiguration({
      outgoing: server?.outgoing ?? null,
      trainingLibrary: server?.trainingLibrary ?? null,
      ingest,
      publicLinks,
      limits: deps.limits,
      budget: deps.budget,
      admission: deps.admission,
      limiter,
    }),
    readStorage: server?.readStorage ?? (async () => unknownStorage),
    readHistory: history.read,
  })
  const handlers = handlersOf({
    ...records,
    ...views,
    dataDeletions,
    webhooks,
    auditLog: { handlers: auditLogHandlers({ auditLog }) },
    service: { handlers: service },
  })

  const { calls, feedback, files, objects } = records
  const onSweepError = (what: string) => (error: unknown) => log?.error({ err: error }, `failed to ${what}; will retry on next sweep`)
  const sweeps = [
    startDeletionsUpkeep({ ...platform, removeAbandonedLists: calls.removeAbandonedLists }),
    calls.expirySweep,
    calls.cache,
    files,
    objects,
    startTombstoneSweeper({ analytical: deps.analytical, onError: onSweepError('purge deleted calls and feedback') }),
    views.otel,
    repeatSweep((signal) => platform.jobs.sweep(signal), { onError: onSweepError('remove finished jobs') }),
    views.sharedTraces.startSweeper(),
    history.start({ onError: onSweepError('count the load of the server') }),
  ]
  const listProjects = sqlListProjects(deps.database)
  const parquetExport = deps.parquetExport && createParquetExport(platform, { ...deps.parquetExport, listProjects, openProject })
  const parquetSweeper = parquetExport?.start()
  const monitorSweeper = providers.hasAny ? views.monitors.start() : undefined
  const worker = platform.jobs.startWorker({
    kinds: {
      ...calls.jobKinds,
      ...feedback.jobKinds,
      ...objects.jobKinds,
      ...dataDeletions.jobKinds,
      ...parquetExport?.jobKinds,
      ...(providers.hasAny && { ...views.evaluations.jobKinds, ...views.scores.jobKinds }),
    },
    concurrency: jobsAtOnce,
    timeLimitMs: jobLimitMs,
    openProject,
    isOnlyServer: !deps.sharesStore,
  })
  const webhooksWorker = webhooks.start({
    'evaluation.finished': findEndedEvaluation({ calls: calls.store }),
    'audit.entry': findInterruptedEntry({ auditLog }),
  })

  return {
    handlers: auditHandlers(handlers, { auditLog, ...platform }),
    jobs: platform.jobs,
    recordOwnCalls: createRecordOwnCalls({ writer: calls.writer, identity: deps.identity, mask }),
    async close() {
      await monitorSweeper?.close()
      await parquetSweeper?.close()
      await Promise.all([worker.stop(), webhooksWorker.stop()])
      for (const sweep of sweeps) await sweep.close()
    },
  }
}
