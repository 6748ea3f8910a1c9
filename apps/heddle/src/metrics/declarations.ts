/** One metric family of `GET /metrics`. */
export interface MetricDeclaration {
  /** By the conventions of Prometheus: base units, and `_total` for counters. */
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** Each has a bounded number of values: none is the id of a project, a user, a model or a key. */
  labels: readonly string[]
  /** Upper bounds of the buckets, for histograms alone. */
  buckets?: readonly number[]
}

/** From a request that is answered from memory to one at the longest limit of a query. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** From a fast disk to one that cannot keep up. */
const syncBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/**
 * Every metric of the server, once: what is measured, the list in the documentation, and the check of dashboard and alert rules follow from it.
 */
export const metrics = {
  buildInfo: { name: 'heddle_build_info', type: 'gauge', labels: ['version'], help: '1, with the version of the server' },
  ready: { name: 'heddle_ready', type: 'gauge', labels: [], help: '1 while /readyz returns 200, else 0' },
  partReady: { name: 'heddle_part_ready', type: 'gauge', labels: ['part'], help: '1 while this part of /readyz is ready, else 0' },

  requests: {
    name: 'heddle_http_requests_total',
    type: 'counter',
    labels: ['operation', 'status'],
    help: 'Requests by operation and status. Requests to no path have the operation "none"',
  },
  requestSeconds: {
    name: 'heddle_http_request_duration_seconds',
    type: 'histogram',
    labels: ['operation'],
    buckets: requestBuckets,
    help: 'Time from the start of a request to the end of its response',
  },
  queuedSeconds: {
    name: 'heddle_http_request_queue_seconds',
    type: 'histogram',
    labels: [],
    buckets: requestBuckets,
    help: 'Part of that time in which requests were queued',
  },
  bodyBytes: {
    name: 'heddle_http_request_body_bytes_total',
    type: 'counter',
    labels: ['operation'],
    help: 'Bytes of request bodies, unpacked. Of the operations that store data, the ingested bytes',
  },
  refusals: {
    name: 'heddle_http_refusals_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Requests that got an error, by the code of the error, the limit of the project, or the kind of failure of a store (store_…)',
  },
  cutResponses: {
    name: 'heddle_http_cut_responses_total',
    type: 'counter',
    labels: [],
    help: 'Streamed responses that were cut short by an error',
  },
  refusedConnections: {
    name: 'heddle_http_refused_connections_total',
    type: 'counter',
    labels: [],
    help: 'Connections that were refused because of a limit',
  },
  admission: {
    name: 'heddle_admission_queue',
    type: 'gauge',
    labels: ['queue', 'state'],
    help: 'Requests (writes, reads, links) and statements of the call store that are running or waiting',
  },

  spans: {
    name: 'heddle_ingested_spans_total',
    type: 'counter',
    labels: ['outcome'],
    help: 'OpenTelemetry spans that were stored or rejected',
  },
  storedRows: {
    name: 'heddle_stored_rows_total',
    type: 'counter',
    labels: ['table'],
    help: 'Rows that were stored durably in the call store, by table',
  },

  journalBytes: {
    name: 'heddle_journal_waiting_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bytes of acknowledged rows that are not in their tables yet',
  },
  journalAge: {
    name: 'heddle_journal_oldest_seconds',
    type: 'gauge',
    labels: [],
    help: 'Time that the oldest of these rows has waited',
  },
  journalSync: {
    name: 'heddle_journal_sync_duration_seconds',
    type: 'histogram',
    labels: [],
    buckets: syncBuckets,
    help: 'Time of a sync of acknowledged rows to the disk',
  },

  engineUp: { name: 'heddle_engine_up', type: 'gauge', labels: [], help: '1 while the call store answers a query, else 0' },
  engineDown: {
    name: 'heddle_engine_down_seconds',
    type: 'gauge',
    labels: [],
    help: 'Time since the embedded engine exited; 0 while it is running',
  },
  engineRestarts: {
    name: 'heddle_engine_restarts_total',
    type: 'counter',
    labels: [],
    help: 'Restarts of the embedded engine after an unexpected exit',
  },
  engineMemory: {
    name: 'heddle_engine_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Resident memory of the process of the embedded engine. On Linux',
  },
  engineMemoryLimit: {
    name: 'heddle_engine_memory_limit_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory that queries and merges of the embedded engine may use together',
  },
  engineParts: {
    name: 'heddle_engine_parts',
    type: 'gauge',
    labels: ['state'],
    help: 'Parts of tables: active, or detached because they are damaged',
  },

  diskFree: { name: 'heddle_disk_free_bytes', type: 'gauge', labels: [], help: 'Free bytes on the disk of the data folder' },
  diskReserve: {
    name: 'heddle_disk_reserve_bytes',
    type: 'gauge',
    labels: [],
    help: 'Free bytes below which writes are refused',
  },
  lastBackup: {
    name: 'heddle_last_backup_timestamp_seconds',
    type: 'gauge',
    labels: [],
    help: 'When the last backup of the data folder ended, in seconds since 1970; absent before the first',
  },

  jobs: {
    name: 'heddle_jobs',
    type: 'gauge',
    labels: ['queue', 'state'],
    help: 'Jobs that are queued or running, of all servers on the database',
  },
  jobsAge: {
    name: 'heddle_jobs_oldest_wait_seconds',
    type: 'gauge',
    labels: ['queue'],
    help: 'Time that the oldest queued job has waited; 0 when none is queued',
  },
  jobsEnded: {
    name: 'heddle_jobs_ended_total',
    type: 'counter',
    labels: ['queue', 'outcome'],
    help: 'Jobs that ended on this server: succeeded, failed or cancelled',
  },
  jobsRetried: {
    name: 'heddle_jobs_retried_total',
    type: 'counter',
    labels: ['queue'],
    help: 'Attempts at jobs on this server that failed and were followed by another',
  },

  trainingSteps: {
    name: 'heddle_training_gradient_steps_total',
    type: 'counter',
    labels: ['kind'],
    help: 'Gradient steps of training jobs (rl, sft)',
  },
  trainingTokens: {
    name: 'heddle_training_tokens_total',
    type: 'counter',
    labels: ['kind'],
    help: 'Tokens that were learned in these steps',
  },
  trainingTrajectories: {
    name: 'heddle_training_trajectories_total',
    type: 'counter',
    labels: ['kind'],
    help: 'Trajectories of reinforcement learning and conversations of fine-tuning in jobs that began',
  },
  trainingReward: {
    name: 'heddle_training_reward',
    type: 'gauge',
    labels: [],
    help: 'Mean reward of the trajectories of the last job of reinforcement learning that began; absent before the first',
  },

  untracedRequests: {
    name: 'heddle_training_untraced_requests_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Requests of the Tinker API that were worked on and not traced: too many waited to be stored (full), or they could not be (failed)',
  },

  invariantFailures: {
    name: 'heddle_invariant_failures_total',
    type: 'counter',
    labels: [],
    help: 'Invariants of the server that did not hold. Any is a fault of Heddle',
  },
  unreadSources: {
    name: 'heddle_metrics_unread_sources_total',
    type: 'counter',
    labels: ['source'],
    help: 'Collections in which a part of the server did not give its metrics in time',
  },

  cpuSeconds: { name: 'process_cpu_seconds_total', type: 'counter', labels: [], help: 'CPU time of the server process, user and system' },
  residentMemory: { name: 'process_resident_memory_bytes', type: 'gauge', labels: [], help: 'Resident memory of the server process' },
  startTime: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    help: 'When the server process started, in seconds since 1970',
  },
  openFiles: { name: 'process_open_fds', type: 'gauge', labels: [], help: 'Open file descriptors of the server process. On Linux' },
  heapUsed: { name: 'nodejs_heap_used_bytes', type: 'gauge', labels: [], help: 'JavaScript objects of the server process' },
  heapLimit: { name: 'nodejs_heap_limit_bytes', type: 'gauge', labels: [], help: 'Most bytes that these may have' },
  loopDelay: {
    name: 'nodejs_eventloop_delay_seconds',
    type: 'gauge',
    labels: ['quantile'],
    help: 'How late the event loop was since the previous collection: median, 99th percentile and maximum (quantile 1)',
  },
} as const satisfies Record<string, MetricDeclaration>

export type MetricKey = keyof typeof metrics

export const metricKeys = Object.keys(metrics) as MetricKey[]
