import type { Generated } from 'kysely'

/** Tables of the training service. Times are whole microseconds since 1970-01-01 UTC; JSON is text. */
export interface TrainingTables {
  trained_models: TrainedModelsTable
  checkpoints: CheckpointsTable
  training_jobs: TrainingJobsTable
  training_events: TrainingEventsTable
  trajectory_groups: TrajectoryGroupsTable
  trajectory_names: TrajectoryNamesTable
  recorded_trajectories: RecordedTrajectoriesTable
  recorded_calls: RecordedCallsTable
  recorded_conversations: RecordedConversationsTable
  model_responses: ModelResponsesTable
  tinker_runs: TinkerRunsTable
  tinker_weights: TinkerWeightsTable
  training_data: TrainingDataTable
  training_files: TrainingFilesTable
  artifact_uploads: ArtifactUploadsTable
  repeated_requests: RepeatedRequestsTable
  blob_references: BlobReferencesTable
  released_blobs: ReleasedBlobsTable
}

/** A model as a client of the Tinker API trains it step by step. */
export interface TinkerRunsTable {
  /** Id of the client's model: `session:train:number`. */
  id: string
  project_id: string
  model_id: string
  /** The base model as the client named it. Null for runs older than this column, which were named by the id of their base model. */
  named_base_model: string | null
  /** Of its adapter. Null where every weight is trained. */
  rank: number | null
  /** Texts by name, as JSON. */
  user_metadata: string | null
  created_by: string
  created_at: number
}

/** What a client of the Tinker API saved under an address. */
export interface TinkerWeightsTable {
  id: string
  run_id: string
  /** `weights` with the state of the optimizer, or `sampler_weights`. */
  kind: string
  name: string
  /** Step of the model with these weights. */
  step: number
  /** Files from which training continues, by name with digest and size, as JSON; `{}` for `sampler_weights`. */
  state_files: string
  /** Texts by name, as JSON. */
  user_metadata: string | null
  created_at: number
  /** When the address is removed. Null: never. */
  expires_at: number | null
}

/** Blobs to be removed immediately, unless something else references them. */
export interface ReleasedBlobsTable {
  sha256: string
}

export interface TrainedModelsTable {
  /** Counts up from 1; never reused. */
  number: Generated<number>
  id: string
  project_id: string
  name: string
  base_model: string
  run_id: string | null
  /** Reward statistics of its training jobs, as JSON. Null before the first. */
  reward_history: string | null
  /** Location of the optimizer state that its last job left for the next, as JSON. Null before the first. */
  optimizer_state: string | null
  created_by: string
  created_at: number
}

export interface CheckpointsTable {
  id: string
  model_id: string
  /** 0 before any training; never used again. */
  step: number
  /** Numbers by name, as JSON. */
  metrics: string
  /** Sums over the groups logged at this step, by split, as JSON. */
  logged_sums: Generated<string>
  /** Files by name with digest and size, as JSON; `{}` where the base model is unchanged. */
  files: string
  /** Null for step 0. */
  job_id: string | null
  created_at: number
  /** Null while it can be used. */
  deleted_at: number | null
  /** When it was marked as kept, so that it cannot be deleted. Null where it is not. */
  kept_at: number | null
  /** Who marked it. */
  kept_by: string | null
}

export interface TrainingJobsTable {
  /** Counts up from 1, in order of creation; never reused. */
  number: Generated<number>
  id: string
  project_id: string
  model_id: string
  /** `rl` or `sft`. */
  kind: string
  /** `queued`, `running`, `succeeded`, `failed` or `cancelled`; the last three are final. */
  status: string
  /** Its job in the queue. Null until it is there. */
  queue_job_id: string | null
  /** SHA-256 and size of the blob with its training data, as JSON. */
  input: string
  config: string
  /** The request of a client of OpenAI, as JSON. Null for a job that was created otherwise. */
  fine_tuning_request: string | null
  /** Address of the training data. Null for `rl`, for jobs of clients of OpenAI, and after a failure or cancellation. */
  source: string | null
  /** Null until it runs. */
  parent_step: number | null
  /** Checkpoint that it compares its policy with. Null for none but the base model. */
  reference_step: number | null
  /** Step of the checkpoint that it created. Null unless it succeeded. */
  step: number | null
  /** Tokens that its gradient steps learned from. Null where none reported any. */
  trainable_tokens: number | null
  /** Why nothing was trained. */
  message: string | null
  error: string | null
  cancel_requested_at: number | null
  created_by: string
  created_at: number
  started_at: number | null
  /** Null while it may still run. */
  ended_at: number | null
}

export interface TrainingEventsTable {
  job_id: string
  /** 0 for the start, then the number of the gradient step from 1, and at last the end. */
  seq: number
  id: string
  type: string
  data: string
  created_at: number
}

/** Trajectory groups that were logged. A group is a line of a blob. */
export interface TrajectoryGroupsTable {
  number: Generated<number>
  id: string
  model_id: string
  split: string
  step: number
  sha256: string
  first_byte: number
  last_byte: number
  created_at: number
}

/** Names in the metadata of logged trajectories, by which their groups are found. */
export interface TrajectoryNamesTable {
  model_id: string
  /** `trajectory_id` or `trace_id`. */
  kind: string
  name: string
  group_id: string
}

/** Trajectories that the server recorded from chat completions. */
export interface RecordedTrajectoriesTable {
  /** Counts up from 1, in the order in which they began. */
  number: Generated<number>
  project_id: string
  model_id: string
  /** As the requests named it; unique within the model. */
  id: string
  group_id: string
  rollout_id: string | null
  trace_id: string | null
  /** `open`, `finished` or `failed`; the last two are final. */
  status: string
  /** Calls so far, including replaced ones. */
  calls: number
  /** Bytes of the blobs of its calls. */
  bytes: number
  /** Reward, metrics, metadata, logs and error, as JSON. Null while it is open. */
  outcome: string | null
  created_at: number
  /** When it was last written. */
  touched_at: number
  finished_at: number | null
}

/** Chat completions of recorded trajectories. */
export interface RecordedCallsTable {
  model_id: string
  trajectory_id: string
  /** Counts up from 0 within the trajectory. */
  seq: number
  /** A key that a repeated request shares with the first. */
  key: string | null
  /** 1 if a later call with the same key replaces it. */
  is_replaced: number
  /** Call of the trajectory whose messages this one begins with; its blob holds those after them. Null: all. */
  base_seq: number | null
  /** Digest of all messages of the request. */
  digest: string
  sha256: string
  started_at: number
}

/** Conversations of chats that a key records; the next request of a conversation finds its trajectory by them. */
export interface RecordedConversationsTable {
  model_id: string
  key_id: string
  /** Digest of its messages with the sampled answer, or of a key that a repeated request shares with the first. */
  digest: string
  trajectory_id: string
  /** Messages of the digest. */
  messages: number
  /** 1 if a single request may continue it: that which repeats an abandoned one. */
  is_once: number
  /** 1 once a request has continued it. */
  is_continued: number
}

/** Responses of models that are kept with their conversations. */
export interface ModelResponsesTable {
  id: string
  /** `entity/project` of the model; empty for a base model. */
  project_id: string
  /** Empty for a base model. */
  model_id: string
  /** Who may read it. */
  user_id: string
  sha256: string
  size_bytes: number
  created_at: number
}

export interface TrainingDataTable {
  project_id: string
  name: string
  sha256: string
  size_bytes: number
  created_at: number
}

/** Uploaded training files, which clients refer to by id. */
export interface TrainingFilesTable {
  /** Counts up from 1, in order of creation; never reused. */
  number: Generated<number>
  id: string
  project_id: string
  filename: string
  sha256: string
  size_bytes: number
  /** `conversations` or `preferences`. */
  kind: string
  /** Lines that can be learned. */
  examples: number
  /** Why it cannot be learned. Null where it can. */
  error: string | null
  created_by: string
  created_at: number
}

/** Upload addresses, each given to a client for a single upload. */
export interface ArtifactUploadsTable {
  /** Hash of the secret part of the address. */
  hash: string
  project_id: string
  /** Name of the upload in `training_data`. Null: it is not kept. */
  name: string | null
  expires_at: number
}

/** Responses to requests that clients may repeat. */
export interface RepeatedRequestsTable {
  /** Caller and operation of the request. */
  scope: string
  key: string
  /** Digest of the request. */
  fingerprint: string
  answer: string
  created_at: number
}

/** Who needs a blob. */
export interface BlobReferencesTable {
  /** A row of another table, such as `checkpoint:<id>`. */
  holder: string
  sha256: string
}
