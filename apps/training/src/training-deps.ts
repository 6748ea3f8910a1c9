import type { Caller } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type {
  Admission,
  BodyBudget,
  FailedLogins,
  ProjectLimiter,
  RawRoute,
  RequestLimits,
  RequestStats,
  ServiceLog,
} from '@heddle/service-kit'
import type { WorkerOptions } from '@heddle/jobs'
import type { BodyReaderOptions } from './body-threads/body-reader.ts'
import type { PlatformDeps } from './platform.ts'
import type { CompletionTimes } from './resources/chat-completions/generation/completion-deadlines.ts'
import type { GenerationLimits } from './resources/chat-completions/generation/generation-queue.ts'
import type { PromptPreparerOptions } from './prompt-threads/prompt-preparer.ts'
import type { TrajectoryLimits } from './request-body/check-body.ts'
import type { OnJobEnded } from './resources/training-jobs/ended-job.ts'
import type { TrainingRunLimits } from './training/training-run.ts'

export interface TrainingDeps extends PlatformDeps {
  log?: ServiceLog
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
  /** How this server sends requests to others. Default: to addresses of the public internet alone. */
  outgoing?: Outgoing
  /** How many chat completions run and wait. Default: `defaultGenerationLimits`. */
  generationLimits?: GenerationLimits
  /** How long the parts of a chat completion may take. Default: `defaultCompletionTimes`. */
  completionTimes?: Partial<CompletionTimes>
  /** Name of the queue of jobs in the database. Default `training`. */
  jobQueue?: string
  /** What trajectories of a request may hold. Default: as `docs/limits.md` says. */
  trajectoryLimits?: TrajectoryLimits
  /** After which a job that found no space on the disk is tried again. Default 5 s. */
  fullDiskRetryMs?: number
  /** Jobs of a model that have not ended. Default: as `docs/limits.md` says. */
  maxUnfinishedJobs?: number
  /** Bytes of an archive of weights that is imported, packed and unpacked. Default 4 GiB. */
  maxImportBytes?: number
  /** Which bodies are read in threads. Default: as `docs/limits.md` says. */
  bodyReading?: BodyReaderOptions
  /** Which prompts of chats are made in threads. Default: as `docs/limits.md` says. */
  promptThreads?: PromptPreparerOptions
  /** How often jobs keep where they are. Default: as `docs/limits.md` says. */
  runLimits?: Partial<TrainingRunLimits>
  /** How often jobs are looked for that ended without an event. Default 2 s. */
  settleEveryMs?: number
  /** What follows from the end of a job, such as messages to webhooks. Default: nothing. */
  onJobEnded?: OnJobEnded
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
