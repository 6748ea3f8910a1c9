import type { Caller } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type {
  Admission,
  BodyBudget,
  FailedLogins,
  PermitLimits,
  ProjectLimiter,
  RawRoute,
  RequestLimits,
  RequestStats,
  ServiceLog,
} from '@heddle/service-kit'
import type { TraceJob, WorkerOptions } from '@heddle/jobs'
import type { BodyReadingOptions } from './body-threads/body-reader.ts'
import type { PlatformDeps } from './platform.ts'
import type { CompletionTimes } from './resources/chat-completions/generation/completion-deadlines.ts'
import type { GenerationLimits } from './resources/chat-completions/generation/generation-queue.ts'
import type { PromptPreparerOptions } from './resources/chat-completions/prompt-threads/prompt-preparer.ts'
import type { TrajectoryLimits } from './request-body/check-body.ts'
import type { TrainingObserver } from './training-observer.ts'
import type { RecordCalls } from './resources/tinker/step-traces/traced-call.ts'
import type { TinkerLimits } from './resources/tinker/tinker-limits.ts'
import type { OnJobEnded } from './resources/training-jobs/ended-job.ts'
import type { TrainingRunLimits } from './training/training-run.ts'

export interface TrainingDeps extends PlatformDeps {
  log?: ServiceLog
  /** Runs the handlers of jobs. Absent: they are not followed. */
  traceJob?: TraceJob | undefined
  /** Counts the requests. Default: they are not counted. */
  requests?: RequestStats
  failedLogins?: FailedLogins
  limits?: Partial<RequestLimits>
  /** Which requests run and which wait. Default: one of this service alone. */
  admission?: Admission
  /** Memory for the bodies of requests. Default: one of this service alone. */
  budget?: BodyBudget
  /** Limits of projects, which the services of a process share. Default: nothing is limited. */
  limiter?: ProjectLimiter
  /** How this server sends requests to other servers. Default: only to public internet addresses. */
  outgoing?: Outgoing
  /** How many chat completions run and wait. Default: `defaultGenerationLimits`. */
  generationLimits?: GenerationLimits
  /** How long the parts of a chat completion may take. Default: `defaultCompletionTimes`. */
  completionTimes?: Partial<CompletionTimes>
  /** How many sessions of the Tinker API are open, what they hold, and how long. Default: see `docs/limits.md`. */
  tinkerLimits?: Partial<TinkerLimits>
  /** Stores the requests of clients of the Tinker API as calls of their project. Default: they are not traced. */
  recordCalls?: RecordCalls
  /** Name of the queue of jobs in the database. Default `training`. */
  jobQueue?: string
  /** Limits of the trajectories of a request. Default: see `docs/limits.md`. */
  trajectoryLimits?: TrajectoryLimits
  /** After which a job that found no space on the disk is tried again. Default 5 s. */
  fullDiskRetryMs?: number
  /** Most jobs of a model that have not ended. Default: see `docs/limits.md`. */
  maxUnfinishedJobs?: number
  /** Bytes of an archive of weights that is imported, packed and unpacked. Default 4 GiB. */
  maxImportBytes?: number
  /** How many exports of models run and wait. Default: see `docs/limits.md`. */
  exportLimits?: Partial<PermitLimits>
  /** Highest rank of a new adapter, 1 to 1,024. Default 256. */
  maxAdapterRank?: number
  /** Which bodies are read in threads. Default: see `docs/limits.md`. */
  bodyReading?: BodyReadingOptions
  /** Which chat prompts are prepared in threads. Default: see `docs/limits.md`. */
  promptThreads?: PromptPreparerOptions
  /** How often jobs save recovery points. Default: see `docs/limits.md`. */
  runLimits?: Partial<TrainingRunLimits>
  /** Interval between searches for jobs that ended without an event. Default 2 s. */
  settleEveryMs?: number
  /** Called after the end of a job, for example to send webhooks. Default: nothing. */
  onJobEnded?: OnJobEnded
  /** Is called while jobs train. Default: nothing is counted. */
  trainingObserver?: TrainingObserver
  /** Leases of jobs. Default: those of the queue. */
  workerTimes?: Partial<Pick<WorkerOptions, 'leaseMs' | 'pollMs' | 'graceMs'>>
  /** Path under which clients see this server, without a slash at the end. Default `''`: the root. */
  basePath?: string
  /** True: no other service answers the documents of tracking clients. Default false. */
  isAlone?: boolean
  /** True: `/v1/health` needs no API key. Default false. */
  hasOpenHealth?: boolean
  /** Paths of the server that are not part of the contract, where no other service has them. Default: none. */
  serverRoutes?: readonly RawRoute<Caller>[]
  /** Rejects while the disk is too full for more data. Default: only the checks of the stores themselves apply. */
  assertDiskSpace?: () => Promise<void>
}
