import type { TrainingEvent } from '@heddle/core-api/types'
import type { Database, Micros, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { RepeatableRequest } from '../../repeats/repeats-store.ts'
import type { CheckpointRow } from '../checkpoints/checkpoint-row.ts'
import type { TrainingJobRow, TrainingKind, TrainingStatus } from './training-job-row.ts'

type Work = Pick<WorkScope, 'signal'>

export interface JobsFilter {
  kind: TrainingKind | null
  status: TrainingStatus | null
  /** Only jobs that clients of OpenAI created. */
  isFineTuning?: boolean
  order: 'asc' | 'desc'
  /** Id of the last job of the page before. */
  after: string | null
  limit: number
}

/** Jobs of one model, or of all models of projects that the caller may read. */
export type JobsWithin = { modelId: string } | { projectIds: readonly string[] }

/** An event as it is stored. */
export interface EventRow {
  job_id: string
  /** 0 for the start, then the number of the gradient step from 1. */
  seq: number
  id: string
  type: TrainingEvent['type']
  data: Readonly<Record<string, unknown>>
  created_at: Micros
}

export interface EventsPage {
  /** Default `asc`. */
  order?: 'asc' | 'desc'
  /** Id of the last event of the page before. */
  after: string | null
  limit: number
}

/** How a job ends. */
export interface JobEnd {
  id: string
  status: 'succeeded' | 'failed' | 'cancelled'
  /** Why it did not succeed. */
  error: string | null
  /** Why it trained nothing. */
  message?: string | null
  /** Step that it made. */
  step?: number
  at: Micros
  eventId: string
}

/** A job that has begun, with the checkpoint where it begins. */
export interface BegunJob {
  job: TrainingJobRow
  parent: CheckpointRow
}

/** A job that has not ended, although its job in the queue has, or was never there. */
export interface StrayJob {
  job: TrainingJobRow
  /** Null: it is not in the queue. */
  queueState: string | null
  queueError: string | null
}

/** Where the history of the rewards of a model grows. */
export interface NewRewards {
  step: number
  rewardStdDev: number
}

export interface TrainingJobsStore {
  /**
   * Stores the job with its reference to its input. Without `repeat`, a fine-tuning job is not stored if a job of the model learns the same from its
   * source and has not failed; that job is returned.
   * @throws ApiError 404 if the model was deleted, 409 for an idempotency key of another request
   */
  create(project: ProjectScope, row: TrainingJobRow, repeat: RepeatableRequest | undefined): Promise<TrainingJobRow>
  setQueueJob(work: Work, id: string, queueJobId: string): Promise<void>
  /** A job of any project: the caller opens the project. */
  find(work: Work, id: string): Promise<TrainingJobRow | undefined>
  /** @throws ApiError 404 if there is no job `after` */
  list(work: Work, within: JobsWithin, filter: JobsFilter): Promise<TrainingJobRow[]>
  /** Number of the model's jobs that have not ended. */
  countUnfinished(work: Work, modelId: string): Promise<number>
  /** Whether what the job learned from is kept: until it ends, and of the newest jobs of a model after that. */
  keepsInput(work: Work, jobId: string): Promise<boolean>
  /** Oldest first, unless the order says otherwise. @throws ApiError 404 when the job has no event `after` */
  listEvents(work: Work, jobId: string, page: EventsPage): Promise<EventRow[]>
  /** Marks a job as running, from the newest checkpoint of its model, or from where it began before. Undefined when it has ended. */
  begin(transaction: Database, id: string, at: Micros): Promise<BegunJob | undefined>
  /** Keeps a checkpoint for the duration of the job. False if there is none with this step. */
  setReference(transaction: Database, job: TrainingJobRow, step: number): Promise<boolean>
  /** Adds an event unless it is there. False when the job has ended. */
  addEvent(transaction: Database, event: EventRow): Promise<boolean>
  /** Ends a job that has not ended, with its last event. False when it had. */
  end(transaction: Database, end: JobEnd): Promise<boolean>
  endNow(work: Work, end: JobEnd): Promise<boolean>
  findRewards(work: Work, modelId: string): Promise<NewRewards[]>
  addRewards(transaction: Database, modelId: string, rewards: NewRewards): Promise<void>
  /** Jobs that need work which no worker is doing, at most 100. */
  findStray(createdBefore: Micros): Promise<StrayJob[]>
  /** Removes jobs of deleted models that ended before the time, with their events. Returns how many. */
  sweep(endedBefore: Micros): Promise<number>
}
