import { setTimeout as delay } from 'node:timers/promises'
import { Migrator, type Kysely, type Migration } from 'kysely'
import { newerData } from '../newer-data.ts'
import { projectsKeysObjectsFiles } from './migrations/0001-projects-keys-objects-files.ts'
import { costsAndRetention } from './migrations/0002-costs-and-retention.ts'
import { namesOfObjects } from './migrations/0003-names-of-objects.ts'
import { filesAndImages } from './migrations/0004-files-and-images.ts'
import { versionsByDigest } from './migrations/0005-versions-by-digest.ts'
import { valuesThatAreGone } from './migrations/0006-values-that-are-gone.ts'
import { storeIdentity } from './migrations/0007-store-identity.ts'
import { jobs } from './migrations/0008-jobs.ts'
import { sessions } from './migrations/0009-sessions.ts'
import { annotationQueues } from './migrations/0010-annotation-queues.ts'
import { monitors } from './migrations/0011-monitors.ts'
import { training } from './migrations/0012-training.ts'
import { signInLinks } from './migrations/0013-sign-in-links.ts'
import { artifactUploads } from './migrations/0014-artifact-uploads.ts'
import { recordedTrajectories } from './migrations/0015-recorded-trajectories.ts'
import { tracesOfRecordedTrajectories } from './migrations/0016-traces-of-recorded-trajectories.ts'
import { movesOfAliases } from './migrations/0017-moves-of-aliases.ts'
import { auditEntries } from './migrations/0018-audit-entries.ts'
import { setUpOfQueues } from './migrations/0019-set-up-of-queues.ts'
import { keptCheckpoints } from './migrations/0020-kept-checkpoints.ts'
import { webhooks } from './migrations/0021-webhooks.ts'
import { limitsOfProjects } from './migrations/0022-limits-of-projects.ts'
import { sharedTraces } from './migrations/0023-shared-traces.ts'
import { releasedBlobs } from './migrations/0024-released-blobs.ts'
import { jobsOfOneSource } from './migrations/0025-jobs-of-one-source.ts'
import { sharedRequestCounts } from './migrations/0026-shared-request-counts.ts'
import { keysOfWhatOutlivesThem } from './migrations/0027-keys-of-what-outlives-them.ts'
import { sumsOfLoggedMetrics } from './migrations/0028-sums-of-logged-metrics.ts'
import { callDeletions } from './migrations/0029-call-deletions.ts'
import { deletionsOfAnyRecords } from './migrations/0030-deletions-of-any-records.ts'
import { tiersOfPrices } from './migrations/0031-tiers-of-prices.ts'
import { deletionsOfObjects } from './migrations/0032-deletions-of-objects.ts'
import { deletionsOfData } from './migrations/0033-deletions-of-data.ts'
import { modelResponses } from './migrations/0034-model-responses.ts'
import { trainingFiles } from './migrations/0035-training-files.ts'
import { fineTuningRequests } from './migrations/0036-fine-tuning-requests.ts'
import { stepByStepTraining } from './migrations/0037-step-by-step-training.ts'
import { namedBaseModels } from './migrations/0038-named-base-models.ts'
import { chatsThatKeysRecord } from './migrations/0039-chats-that-keys-record.ts'
import { tokensOfJobs } from './migrations/0040-tokens-of-jobs.ts'
import { tokensOfEarlierJobs } from './migrations/0041-tokens-of-earlier-jobs.ts'
import type { RelationalKind, RelationalMigration } from './relational-migration.ts'

/** All steps of this version, in order. */
export const relationalSteps: readonly RelationalMigration[] = [
  projectsKeysObjectsFiles,
  costsAndRetention,
  namesOfObjects,
  filesAndImages,
  versionsByDigest,
  valuesThatAreGone,
  storeIdentity,
  jobs,
  sessions,
  annotationQueues,
  monitors,
  training,
  signInLinks,
  artifactUploads,
  recordedTrajectories,
  tracesOfRecordedTrajectories,
  movesOfAliases,
  auditEntries,
  setUpOfQueues,
  keptCheckpoints,
  webhooks,
  limitsOfProjects,
  sharedTraces,
  releasedBlobs,
  jobsOfOneSource,
  sharedRequestCounts,
  keysOfWhatOutlivesThem,
  sumsOfLoggedMetrics,
  callDeletions,
  deletionsOfAnyRecords,
  tiersOfPrices,
  deletionsOfObjects,
  deletionsOfData,
  modelResponses,
  trainingFiles,
  fineTuningRequests,
  stepByStepTraining,
  namedBaseModels,
  chatsThatKeysRecord,
  tokensOfJobs,
  tokensOfEarlierJobs,
]

/** Several attempts on SQLite, which has no migration lock: the loser of a race finds the schema migrated on its next attempt. */
const attemptsOf = { sqlite: 10, postgres: 1 }

/**
 * Migrates the schema. Concurrent starts are serialised.
 * @throws Error that names the failed migration, and StoreError when a newer version has migrated the schema; it is then unchanged.
 */
export async function migrateDatabase<T>(db: Kysely<T>, kind: RelationalKind): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const failure = await tryMigrate(db, kind)
    if (!failure) return
    if (attempt === attemptsOf[kind]) throw failure
    await delay(20 * attempt)
  }
}

/** The database with the current schema. Closes it when that fails. */
export async function migrated<T>(db: Kysely<T>, kind: RelationalKind): Promise<Kysely<T>> {
  try {
    await migrateDatabase(db, kind)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function tryMigrate<T>(db: Kysely<T>, kind: RelationalKind): Promise<Error | undefined> {
  const migrations = Object.fromEntries(
    relationalSteps.map(({ name, up }): [string, Migration] => [name, { up: (given: Kysely<unknown>) => up(given, kind) }]),
  )
  const { error, results } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (!error) return undefined
  const newer = /previously executed migration (\S+) is missing/.exec(String(error))?.[1]
  if (newer !== undefined) throw newerData(newer)
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  return new Error(failed ? `migration ${failed} failed: ${String(error)}` : `cannot migrate the schema: ${String(error)}`, {
    cause: error,
  })
}
