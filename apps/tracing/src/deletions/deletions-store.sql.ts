import { conflict, tooManyRequests } from '@heddle/core-api/internal'
import type { Database, Micros, RelationalStore } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type Jobs, type NewJob, sqlTransactionalJobs } from '@heddle/jobs'
import { parseJson, stringifyJson } from '@heddle/json'
import type { HiddenRecords } from '../query/visible-records.ts'
import type { DataDeletion, DataReport, DataRequest, Deletion, DeletionsStore, NewDeletion, RecordsDeletion } from './deletions-store.ts'
import { deletionJobKinds } from './deletion-job-kinds.ts'

export interface DeletionsOptions {
  database: RelationalStore
  queue: string
  jobs: Pick<Jobs, 'expect'>
  clock: () => Micros
  newId: () => string
  /** True when other servers delete in the same store: each read then queries the current deletions. */
  sharesStore: boolean
}

/** Most traces in unfinished deletions of a project: each read of the project excludes them by id. */
const maxHiddenTraces = 10_000
/** Most unfinished deletions of feedback of a project: each read of its feedback checks all of their lists. */
const maxFeedbackDeletions = 100
/** Most unfinished deletions of objects of a project: each read of versions checks those of the same name. */
const maxObjectDeletions = 100
/** Most unfinished deletions of data of a project: each read of its calls checks all of their lists. */
const maxDataDeletions = 10
const retrySeconds = 30
/** Attempts of a job, including those ended by a crash. A deletion whose job has used them up gets a new job. */
const maxAttempts = 20

const columns = [
  'id',
  'kind',
  'whole_traces',
  'part_traces',
  'total',
  'removed',
  'deleted_at',
  'last_version',
  'object_id',
  'ended_at',
  'request',
  'report',
] as const

type StoredDeletion = Omit<Deletion, 'whole_traces' | 'part_traces' | 'request' | 'report'> & {
  whole_traces: string
  part_traces: string
  request: string | null
  report: string | null
}

export function sqlDeletionsStore(options: DeletionsOptions): DeletionsStore {
  const { database, queue, jobs, clock, newId, sharesStore } = options
  const queued = sqlTransactionalJobs({ queue, clock, newId })
  /** Records hidden in all projects, while this server is the only one that deletes. */
  let known: Promise<ReadonlyMap<string, HiddenRecords>> | undefined

  const unfinished = (db: Database) =>
    db
      .selectFrom('deletions')
      .select(['project_id', ...columns])
      .where('ended_at', 'is', null)

  async function readAll(): Promise<ReadonlyMap<string, HiddenRecords>> {
    return toHidden(await unfinished(database).execute())
  }

  function knownHidden(): Promise<ReadonlyMap<string, HiddenRecords>> {
    known ??= readAll().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  const forget = () => {
    known = undefined
  }

  async function beginIn(transaction: Database, project: ProjectScope, begun: NewDeletion) {
    const { whole_traces, part_traces, request = null, report = null, ...deletion } = begun
    // The job locks the queue of the project, so that no other deletion begins meanwhile.
    await queued.enqueue(transaction, project.id, jobOf(deletion))
    const running = await unfinished(transaction).where('project_id', '=', project.id).execute()
    checkRoom(running, { ...deletion, whole_traces })
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('deletions')
      .values({
        ...deletion,
        project_id: project.id,
        whole_traces: JSON.stringify(whole_traces),
        part_traces: JSON.stringify(part_traces),
        request: request && stringifyJson(request),
        report: report && stringifyJson(report),
        removed: 0,
        ended_at: null,
      })
      .onConflict((sameId) => sameId.column('id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) throw idIsTaken(deletion.id)
  }

  const begun = () => {
    forget()
    jobs.expect()
  }

  return {
    async hiddenIn(projects) {
      const [scope] = projects
      if (scope === undefined) return new Map()
      if (!sharesStore) return knownHidden()
      const ids = projects.map(({ id }) => id)
      return toHidden(await unfinished(database.of(scope)).where('project_id', 'in', ids).execute())
    },

    async begin(project, deletion) {
      await database
        .of(project)
        .transaction()
        .execute((transaction) => beginIn(transaction, project, deletion))
      begun()
    },

    beginIn,
    begun,

    async find(project, id) {
      const row = await ofProject(database.of(project), project).where('id', '=', id).executeTakeFirst()
      return row && toDeletion(row)
    },

    async noteRemoved(project, id, removed) {
      await database
        .of(project)
        .updateTable('deletions')
        .set({ removed })
        .where('project_id', '=', project.id)
        .where('id', '=', id)
        .execute()
    },

    async noteReport(project, id, report) {
      await database
        .of(project)
        .updateTable('deletions')
        .set({ report: stringifyJson(report), removed: sumOf(report.removed), ...(report.found && { total: sumOf(report.found) }) })
        .where('project_id', '=', project.id)
        .where('id', '=', id)
        .execute()
      forget()
    },

    async end(transaction, id, at, report) {
      await transaction
        .updateTable('deletions')
        .set({ ended_at: at, ...(report && { report: stringifyJson(report) }) })
        .where('id', '=', id)
        .execute()
    },

    ended: forget,

    async running() {
      const rows = await database.selectFrom('deletions').select('id').where('ended_at', 'is', null).execute()
      return new Set(rows.map(({ id }) => id))
    },

    async progress() {
      const [row] = await database
        .selectFrom('deletions')
        .select(({ fn }) => [fn.countAll().as('running'), fn.sum('total').as('total'), fn.sum('removed').as('removed')])
        .where('ended_at', 'is', null)
        .execute()
      return { running: Number(row?.running ?? 0), total: Number(row?.total ?? 0), removed: Number(row?.removed ?? 0) }
    },

    async list(project, limit) {
      return (await newest(ofProject(database.of(project), project).where('kind', '<>', 'data'), limit)) as RecordsDeletion[]
    },

    async listOfData(project, limit) {
      return (await newest(ofProject(database.of(project), project).where('kind', '=', 'data'), limit)) as DataDeletion[]
    },

    async resume() {
      const rows = await unfinished(database).orderBy('id').execute()
      for (const row of rows) await database.transaction().execute((transaction) => queued.enqueue(transaction, row.project_id, jobOf(row)))
      if (rows.length > 0) jobs.expect()
    },

    async forgetEnded(before) {
      await database.deleteFrom('deletions').where('ended_at', '<', before).where('kind', '<>', 'data').execute()
    },
  }
}

function ofProject(db: Database, project: ProjectScope) {
  return db.selectFrom('deletions').select(columns).where('project_id', '=', project.id)
}

async function newest(all: ReturnType<typeof ofProject>, limit: number): Promise<Deletion[]> {
  const newestFirst = (some: typeof all) => some.orderBy('deleted_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  const running = await newestFirst(all.where('ended_at', 'is', null))
  const over = await newestFirst(all.where('ended_at', 'is not', null))
  return [...running, ...over].slice(0, limit).map(toDeletion)
}

function sumOf(counts: DataReport['removed']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** The same job while it may still run, and another one where it failed. */
function jobOf({ id, kind }: Pick<Deletion, 'id' | 'kind'>): NewJob {
  const jobKind = deletionJobKinds[kind]
  const idempotency = { key: `${jobKind}/${id}`, isReleasedByFailure: true }
  return { kind: jobKind, payload: { deletion: id }, maxAttempts, idempotency }
}

function toHidden(rows: readonly (StoredDeletion & { project_id: string })[]): ReadonlyMap<string, HiddenRecords> {
  const byProject = new Map<string, { traces: string[]; deletions: string[]; feedback: HiddenRecords['feedback'][number][] }>()
  for (const row of rows) {
    const { id, kind, whole_traces, part_traces, last_version, report } = toDeletion(row)
    const own = byProject.get(row.project_id) ?? { traces: [], deletions: [], feedback: [] }
    byProject.set(row.project_id, own)
    for (const trace of whole_traces) own.traces.push(trace)
    if (part_traces.length > 0 || report?.found) own.deletions.push(id)
    if (kind === 'feedback') own.feedback.push({ deletion: id, last_version })
  }
  return byProject
}

function toDeletion({ whole_traces, part_traces, request, report, ...deletion }: StoredDeletion): Deletion {
  return {
    ...deletion,
    whole_traces: JSON.parse(whole_traces) as string[],
    part_traces: JSON.parse(part_traces) as string[],
    request: request === null ? null : (parseJson(request) as DataRequest),
    report: report === null ? null : (parseJson(report) as DataReport),
  }
}

/** @throws ApiError 429 where the unfinished deletions of the project leave no room for another one */
function checkRoom(running: readonly StoredDeletion[], { kind, whole_traces }: Pick<NewDeletion, 'kind' | 'whole_traces'>): void {
  const traces = running.reduce((sum, row) => sum + toDeletion(row).whole_traces.length, whole_traces.length)
  if (traces > maxHiddenTraces) throw tooManyTraces()
  const ofKind = running.filter((row) => row.kind === kind).length
  if (kind === 'feedback' && ofKind >= maxFeedbackDeletions) throw tooManyPurges()
  if (kind === 'object_versions' && ofKind >= maxObjectDeletions) throw tooManyObjects()
  if (kind === 'data' && ofKind >= maxDataDeletions) throw tooManyOfData()
}

function idIsTaken(id: string) {
  return conflict(`a deletion with the id ${id} was begun before: take a new id for this one`)
}

function tooManyOfData() {
  return tooManyRequests(
    `${maxDataDeletions} deletions of data of this project have not ended: start the others when some of these have ended`,
    retrySeconds,
  )
}

function tooManyObjects() {
  return tooManyRequests(
    `${maxObjectDeletions} deletions of objects with many versions of this project have not ended: delete the others when some of these have ended`,
    retrySeconds,
  )
}

function tooManyPurges() {
  return tooManyRequests(
    `${maxFeedbackDeletions} purges of many feedback of this project have not ended: purge the others when some of these have ended`,
    retrySeconds,
  )
}

function tooManyTraces() {
  return tooManyRequests(
    `deletions of this project that have not ended name ${maxHiddenTraces} traces: delete the others when some of these have ended`,
    retrySeconds,
  )
}
