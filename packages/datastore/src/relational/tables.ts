import type { Generated } from 'kysely'
import type { TrainingTables } from './training-tables.ts'

/** Times are whole microseconds since 1970-01-01 UTC. */
export interface Tables extends TrainingTables {
  projects: ProjectsTable
  api_keys: ApiKeysTable
  api_key_projects: ApiKeyProjectsTable
  sessions: SessionsTable
  sign_in_links: SignInLinksTable
  object_versions: ObjectVersionsTable
  object_latest: ObjectLatestTable
  object_tags: ObjectTagsTable
  object_aliases: ObjectAliasesTable
  object_alias_moves: ObjectAliasMovesTable
  registry_portfolios: RegistryPortfoliosTable
  registry_links: RegistryLinksTable
  registry_aliases: RegistryAliasesTable
  files: FilesTable
  costs: CostsTable
  project_retention: ProjectRetentionTable
  project_limits: ProjectLimitsTable
  project_ingested_bytes: ProjectIngestedBytesTable
  project_request_counts: ProjectRequestCountsTable
  annotation_queues: AnnotationQueuesTable
  annotation_items: AnnotationItemsTable
  annotation_progress: AnnotationProgressTable
  analytical_migrations: AnalyticalMigrationsTable
  store_identity: StoreIdentityTable
  jobs: JobsTable
  job_queues: JobQueuesTable
  monitors: MonitorsTable
  audit_entries: AuditEntriesTable
  webhooks: WebhooksTable
  shared_traces: SharedTracesTable
  deletions: DeletionsTable
}

export interface ProjectsTable {
  /** Counts up from 1; never reused. */
  number: Generated<number>
  /** `entity/project`. */
  id: string
  internal_id: string
  entity: string
  name: string
  created_at: number
}

export interface ApiKeysTable {
  id: string
  name: string
  user_id: string
  hash: string
  /** First characters of the key, to recognise it by. */
  prefix: string
  /** The entity that the key belongs to; `*` for all. */
  entity: string
  role: string
  /** Scopes, separated by spaces. */
  scopes: string
  /** Null = never. */
  expires_at: number | null
  last_used_at: number | null
  /** Null while the key is valid. */
  revoked_at: number | null
  created_at: number
  /** Trajectory and group in which its chats are recorded, as JSON. Null: they are not. */
  recording: string | null
}

/** The role of a key in one project, where it differs from the key's own. */
export interface ApiKeyProjectsTable {
  key_id: string
  project_id: string
  role: string
}

/** A session of a browser, which acts for the key that opened it. */
export interface SessionsTable {
  /** SHA-256 of its token, in hex. */
  hash: string
  key_id: string
  created_at: number
  expires_at: number
}

/** A link that signs a browser in once, for the key that made it. */
export interface SignInLinksTable {
  /** SHA-256 of its token, in hex. */
  hash: string
  key_id: string
  created_at: number
  expires_at: number
}

export interface ObjectVersionsTable {
  project_id: string
  object_id: string
  kind: string
  digest: string
  /** Position among the versions of the object, from 0. */
  version_index: number
  base_object_class: string | null
  leaf_object_class: string | null
  wb_user_id: string | null
  size_bytes: number
  created_at: number
  /** Null while the version exists. */
  deleted_at: number | null
  /** When the value of a deleted version was purged; null while it may exist. */
  value_gone_at: number | null
  /** The key with which it was made. Null: before keys were noted, and by the server itself. */
  key_id: Generated<string | null>
}

/** The version that `latest` points to. */
export interface ObjectLatestTable {
  project_id: string
  object_id: string
  kind: string
  digest: string
}

/** A label of one version; only live versions have any. */
export interface ObjectTagsTable {
  project_id: string
  object_id: string
  digest: string
  tag: string
  wb_user_id: string
  created_at: number
}

/** A name of an object that points to one of its live versions. */
export interface ObjectAliasesTable {
  project_id: string
  object_id: string
  alias: string
  digest: string
  wb_user_id: string
  created_at: number
}

/** One change of what an alias points to. */
export interface ObjectAliasMovesTable {
  project_id: string
  object_id: string
  /** Position among the moves of the object, from 1 in the order in which they were made. */
  number: number
  alias: string
  /** Null where the alias pointed to nothing, or where that is not known. */
  from_digest: string | null
  /** Null where the alias was removed. */
  to_digest: string | null
  wb_user_id: string
  created_at: number
}

/** A requested change of a project. */
export interface AuditEntriesTable {
  project_id: string
  /** UUID that grows with time. */
  id: string
  operation: string
  details: string
  outcome: 'started' | 'succeeded' | 'failed'
  user_id: string
  key_id: string
  created_at: number
}

/** A URL to which events of a project are sent. */
export interface WebhooksTable {
  project_id: string
  /** UUID that grows with time. */
  id: string
  name: string
  url: string
  /** Events, separated by spaces. */
  events: string
  /** The secret that signs its messages, shared with its receiver. */
  secret: string
  created_by: string
  created_at: number
  /** The last attempt in the JSON form of the API. Null before the first. */
  last_attempt: string | null
  /** First attempt that failed since one was accepted. */
  failing_since: number | null
  /** Null: it is enabled. */
  disabled_at: number | null
  /** The key with which it was made. Null: before keys were noted. */
  key_id: Generated<string | null>
}

/** A public link to a trace. */
export interface SharedTracesTable {
  /** SHA-256 of its token in hex. */
  hash: string
  project_id: string
  /** UUID that grows with time. */
  id: string
  trace_id: string
  created_by: string
  created_at: number
  expires_at: number
  /** The key with which it was made. Null: before keys were noted. */
  key_id: Generated<string | null>
}

/**
 * A deletion of many records, which are hidden once its row exists and removed later, or of all data that a selection covers. The payload of its job
 * has its id.
 */
export interface DeletionsTable {
  /** UUID that grows with time. */
  id: string
  project_id: string
  kind: 'calls' | 'feedback' | 'object_versions' | 'data'
  /** JSON list of the ids of traces that are deleted whole. */
  whole_traces: string
  /** JSON list of the ids of traces of which the calls in `deleted_calls` are deleted. */
  part_traces: string
  /** Records that were there when it began. */
  total: number
  /** Records that were removed so far. */
  removed: number
  deleted_at: number
  /** Versions of feedback up to this one are deleted; of objects, those published until this time; 0 of calls. */
  last_version: number
  /** The name whose versions are deleted; null unless of objects. */
  object_id: string | null
  /** Null while records are removed. */
  ended_at: number | null
  /** What was selected and who requested it, as JSON; null unless of data. */
  request: Generated<string | null>
  /** How far it is, as JSON; null unless of data. */
  report: Generated<string | null>
}

/** A collection of a registry project. */
export interface RegistryPortfoliosTable {
  project_id: string
  portfolio_name: string
  /** Versions linked so far: the index of the next one. */
  links: number
}

/** An object version in a collection. */
export interface RegistryLinksTable {
  project_id: string
  portfolio_name: string
  version_index: number
  /** Project of the object. */
  source_project_id: string
  object_id: string
  digest: string
  wb_user_id: string
  created_at: number
}

/** A name that points to one index of a collection. */
export interface RegistryAliasesTable {
  project_id: string
  portfolio_name: string
  alias: string
  version_index: number
}

export interface FilesTable {
  project_id: string
  digest: string
  /** SHA-256 of the content in hex, which is its blob digest. Null in rows older than this column. */
  sha256: string | null
  name: string
  size_bytes: number
  created_at: number
}

/** Prices per token of a model, created by users of a project. */
export interface CostsTable {
  id: string
  project_id: string
  llm_id: string
  provider_id: string
  effective_date: number
  prompt_token_cost: number
  completion_token_cost: number
  cache_read_input_token_cost: number
  cache_creation_input_token_cost: number
  prompt_token_cost_unit: string
  completion_token_cost_unit: string
  created_by: string
  created_at: number
  /** Prices of single kinds of tokens and tiers, as JSON. Null for a price without any. */
  details: string | null
}

/** Retention of the calls of a project in days; without a row they are kept forever. */
export interface ProjectRetentionTable {
  project_id: string
  retention_days: number
}

/** Limits of a project; null, and a project without a row: no limit. */
export interface ProjectLimitsTable {
  project_id: string
  requests_per_minute: number | null
  requests_per_minute_per_key: number | null
  ingested_bytes_per_day: number | null
}

/** Bytes of accepted writes of a project with a limit, by day. */
export interface ProjectRequestCountsTable {
  rate: 'requests_per_minute' | 'requests_per_minute_per_key'
  /** The project, or the key and the project. */
  subject: string
  requests: number
  /** Day of the last request, in whole days since 1970-01-01 UTC. */
  day: number
}

export interface ProjectIngestedBytesTable {
  project_id: string
  /** Whole days since 1970-01-01 UTC. */
  day: number
  bytes: number
}

/** Lists of calls to review. */
export interface AnnotationQueuesTable {
  id: string
  project_id: string
  name: string
  /** The name in lower case, for searches. */
  folded_name: string
  description: string
  /** JSON list of texts. */
  scorer_refs: string
  /** Users who must complete or skip an item before it is finished. */
  reviewers_per_item: number
  /** Default duration of a claim. */
  reservation_minutes: number
  /** `oldest`, `newest` or `random`: in which order items are claimed. */
  item_order: string
  created_by: string
  created_at: number
  updated_at: number
  /** Null while the queue exists. */
  deleted_at: number | null
  /** Number of its items. */
  total_items: number
  /** Number of its items with a `finished_at`. */
  completed_items: number
}

/** A call in a queue, with the facts known about the call when it was added. */
export interface AnnotationItemsTable {
  id: string
  project_id: string
  queue_id: string
  call_id: string
  call_started_at: number
  /** Null where the call was running. */
  call_ended_at: number | null
  call_op_name: string
  call_trace_id: string
  /** JSON list of texts. */
  display_fields: string
  added_by: string
  created_by: string
  created_at: number
  updated_at: number
  /** State of the progress that was written last; `unstarted` without any. */
  annotation_state: string
  /** Annotator of that progress; empty without any. */
  annotator_user_id: string
  /** Annotators who completed or skipped the item. */
  review_count: number
  /** When enough annotators had done so for the queue; null before. */
  finished_at: number | null
  /** Who holds the item until `claimed_until`; null if it is not claimed. */
  claimed_by: string | null
  claimed_until: number | null
}

/** How far one annotator is with one item. */
export interface AnnotationProgressTable {
  item_id: string
  annotator_user_id: string
  project_id: string
  annotation_state: string
  created_at: number
  updated_at: number
}

/** The applied migrations of the analytical store. */
export interface AnalyticalMigrationsTable {
  name: string
  applied_at: number
}

/** One row: the store that this database belongs to. */
export interface StoreIdentityTable {
  /** UUID. */
  id: string
  /** 1 once the analytical tables and the blobs have had the id as well. */
  is_bound: number
}

/** Work that outlives a request. JSON is text. */
export interface JobsTable {
  /** Counts up from 1 in the order of enqueueing within a project; never reused. */
  number: Generated<number>
  /** UUID. */
  id: string
  /** Name of the queue, which the jobs of one service share. */
  queue: string
  project_id: string
  kind: string
  /** `queued`, `blocked` (queued behind an unfinished job of its serial key), `running`, `succeeded`, `failed` or `cancelled`. */
  state: string
  /** Jobs of a project with the same one run one at a time, in order. Null = any order. */
  serial_key: string | null
  idempotency_key: string | null
  /** Digest of what two jobs of one idempotency key must have in common. Null without a key. */
  fingerprint: string | null
  payload: string
  /** Earliest start. Null = as soon as possible. */
  run_after: number | null
  /** Number of starts, excluding those that ended because the server stopped. */
  attempt: number
  max_attempts: number
  /** Counts up with each lease; writes of a worker name theirs. */
  lease_token: number
  /** Counts up while the holder of the lease is alive. */
  lease_heartbeat: number
  /** The worker that holds the lease. Null unless running. */
  lease_owner: string | null
  /** Null unless its cancellation was requested. */
  cancel_requested_at: number | null
  progress: string | null
  /** The state from which a handler resumes. Null once the job has ended. */
  saved_state: string | null
  result: string | null
  /** Why the last attempt failed. */
  error: string | null
  created_at: number
  /** Start of the first attempt. */
  started_at: number | null
  /** Null while the job may still run. */
  ended_at: number | null
}

/** Counts of the jobs of a project. Its row is locked for every change of a job's state. */
export interface JobQueuesTable {
  queue: string
  project_id: string
  /** Queued and blocked jobs. */
  waiting: number
  running: number
  /** Succeeded, failed and cancelled jobs that are still stored. */
  finished: number
  /** Position among all claims of the queue; 0 before the first. */
  last_claim: number
}

/** The progress of a monitor through the calls of its project. */
export interface MonitorsTable {
  project_id: string
  /** Name of the object. */
  object_id: string
  /** Calls that end from this time on are scored. Null while the monitor is inactive. */
  activated_at: number | null
  /** Version of the last processed call, a 64-bit integer as text. Null while the monitor is inactive. */
  watermark: string | null
  /** When a server last started to look for calls, or found the monitor inactive. */
  swept_at: number
  /** Requested scores: chosen calls, times scorers. */
  sampled: number
  /** Calls that matched but were not sampled. */
  skipped: number
  /** Why the last sweep scored nothing; null where it could. */
  error: string | null
  /** Version that ended with the key that published it; null where none did. */
  stopped_digest: Generated<string | null>
}
