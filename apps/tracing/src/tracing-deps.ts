import type { Caller } from '@heddle/identity'
import type { TraceJob } from '@heddle/jobs'
import { type Outgoing } from '@heddle/outgoing'
import {
  type Admission,
  type BodyBudget,
  type FailedLogins,
  type ProjectLimiter,
  type RawRoute,
  type RequestLimits,
  type RequestStats,
  type ServiceLog,
} from '@heddle/service-kit'
import type { GraphqlDeps } from './compatibility/graphql.ts'
import type { ConflictRule } from './otlp/expand-attributes.ts'
import type { PlatformDeps } from './platform.ts'
import { type ModelProviders } from './providers/model-providers.ts'
import type { CostRow } from './records/costs/cost-row.ts'
import { type Catalogue } from './views/inference/catalogue.ts'
import type { OtelDeps } from './views/otel/otel-handlers.ts'
import type { MonitorTimes } from './views/monitors/monitor-times.ts'
import type { ParquetExportSettings } from './views/parquet-export/parquet-export-settings.ts'
import type { SpanPreparerOptions } from './views/otel/span-preparer.ts'
import type { EventOutbox } from './events/event-outbox.ts'
import type { WebhookSettings } from './views/webhooks/webhook-limits.ts'
import { type ServiceInfo } from './views/service/service-handlers.ts'
import type { ServerFacts } from './views/service/service-stats.ts'

/** The operator's rules for incoming data. */
export interface IngestRules {
  /** Texts under names of credentials are stored as `REDACTED` in inputs, attributes and raw spans. */
  masksCredentials: boolean
  /** What becomes of a span in which one attribute is a value and the parent of another. */
  spanConflicts: ConflictRule
}

/** The rules where the operator decides nothing. */
export const defaultIngestRules: IngestRules = { masksCredentials: true, spanConflicts: 'keep' }

export interface TracingDeps extends PlatformDeps {
  info: ServiceInfo
  /** What operators see of the server in its state. Default: it is not known. */
  server?: ServerFacts
  /** Counts requests, those of other services of the server as well. Default: those of this service alone. */
  requests?: RequestStats
  ingest?: IngestRules
  /** Prices of models that projects need not create; absent: those shipped with the server. */
  prices?: readonly CostRow[]
  /** Who runs models for this server. Default: none. */
  providers?: ModelProviders
  /** `{column}` in the messages of a model that the server evaluates becomes the value of the row. Default: true. */
  fillsPrompts?: boolean
  /** How this server sends requests to other servers. Default: only to public internet addresses. */
  outgoing?: Outgoing
  /** Models that the listings show. Default: none. */
  catalogue?: Catalogue
  /** Name of the queue of jobs in the database. Default `tracing`. */
  jobQueue?: string
  /** Records that a large deletion removes at a time. Default: see `docs/limits.md` for each kind. */
  removedAtOnce?: number
  /** How often monitors look for calls, and how late. Default: see `docs/limits.md`. */
  monitorTimes?: Partial<MonitorTimes>
  /** Calls, usage, feedback and results of evaluations are exported as Parquet files. Default: they are not. */
  parquetExport?: ParquetExportSettings
  /** Whether traces may be shared with users without a key. Default: true. */
  publicLinks?: boolean
  /** Messages to webhooks, which other services of the process write too. Default: one of this service alone. */
  outbox?: EventOutbox
  /** How webhooks are called. Default: see `docs/limits.md`. */
  webhooks?: Partial<WebhookSettings>
  /** How spans are prepared; without a worker on the event loop. */
  spans: SpanPreparerOptions
  /** Called with the spans of each request that was answered. Default: they are not counted. */
  onSpans?: OtelDeps['onSpans']
  log?: ServiceLog
  /** Runs the handlers of jobs. Absent: they are not followed. */
  traceJob?: TraceJob | undefined
  failedLogins?: FailedLogins
  limits?: Partial<RequestLimits>
  /** Which requests run and which wait. Default: one of this service alone. */
  admission?: Admission
  /** Memory for the bodies of requests. Default: one of this service alone. */
  budget?: BodyBudget
  /** Limits of projects, which the services of a process share. Default: those of this service alone, none of them of the server. */
  limiter?: ProjectLimiter
  /** Paths of the server that are not part of the contract. They authorise their callers themselves. Default: none. */
  serverRoutes?: readonly RawRoute<Caller>[]
  /** Answers GraphQL documents that this service does not know. Default: they are not supported. */
  otherDocuments?: GraphqlDeps['others']
  /** Rejects while the disk is too full for more data. Default: only the checks of the stores themselves apply. */
  assertDiskSpace?: () => Promise<void>
}
