import type { OutputOf, tracing } from '@heddle/core-api'
import { type LimitName, limitNames } from '@heddle/core-api/internal'
import { type Admission, type BodyBudget, defaultRequestLimits, type ProjectLimiter, type RequestLimits } from '@heddle/service-kit'
import type { ConflictRule } from '../../otlp/expand-attributes.ts'
import { maskedNames } from '../../payload/mask-secrets.ts'

export type ServiceConfiguration = OutputOf<(typeof tracing)['service']['configuration']>

export interface ServiceConfigurationDeps {
  outgoing: ServiceConfiguration['outgoing']
  trainingLibrary: string | null
  ingest: { masksCredentials: boolean; spanConflicts: ConflictRule }
  publicLinks: boolean
  limits: Partial<RequestLimits> | undefined
  budget: BodyBudget | undefined
  admission: Admission
  limiter: Pick<ProjectLimiter, 'serverLimits'>
}

/** Reads the operator's settings, with the current usage of each limit. */
export function createServiceConfiguration({
  outgoing,
  trainingLibrary: training_library,
  ingest,
  publicLinks: public_links,
  ...bounds
}: ServiceConfigurationDeps): () => ServiceConfiguration {
  const { masksCredentials: masks_credentials, spanConflicts: span_conflicts } = ingest
  const masked_names = masks_credentials ? [...maskedNames] : []
  const masking = { masks_credentials, masked_names, span_conflicts }
  return () => ({ outgoing, training_library, ingest: masking, public_links, limits: readLimits(bounds) })
}

const settingOf: Record<LimitName, string> = {
  requests_per_minute: 'HEDDLE_REQUESTS_PER_MINUTE',
  requests_per_minute_per_key: 'HEDDLE_KEY_REQUESTS_PER_MINUTE',
  ingested_bytes_per_day: 'HEDDLE_INGESTED_BYTES_PER_DAY',
}

type Bounds = Pick<ServiceConfigurationDeps, 'limits' | 'budget' | 'admission' | 'limiter'>

function readLimits({ limits, budget, admission, limiter }: Bounds): ServiceConfiguration['limits'] {
  const { maxBodyBytes } = { ...defaultRequestLimits, ...limits }
  const { writes, reads, statements } = admission
  const of = admission.limits
  const counted = (name: ServiceConfiguration['limits'][number]['name'], limit: number, used: number) => ({
    name,
    limit,
    used,
    setting: null,
  })
  return [
    { name: 'request_bytes', limit: maxBodyBytes, used: null, setting: 'HEDDLE_MAX_REQUEST_BYTES' },
    ...(budget ? [counted('body_memory_bytes', budget.maxBytes, budget.usedBytes)] : []),
    counted('running_writes', of.writes.maxRunning, writes.running),
    counted('waiting_writes', of.writes.maxWaiting, writes.waiting),
    counted('running_reads', of.reads.maxRunning, reads.running),
    counted('waiting_reads', of.reads.maxWaiting, reads.waiting),
    counted('statements', of.statements.running, statements.running),
    counted('waiting_statements', of.statements.waiting, statements.waiting),
    ...limitNames.flatMap((name) => {
      const limit = limiter.serverLimits[name]
      return limit === null ? [] : [{ name: `project_${name}` as const, limit, used: null, setting: settingOf[name] }]
    }),
  ]
}
