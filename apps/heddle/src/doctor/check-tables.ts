import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Analytical,
  checkAllParts,
  connectEngine,
  createClickHouseStore,
  examineCluster,
  examineParts,
  findRefusal,
  sql,
  systemTiming,
} from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { startEmbeddedEngine } from '../stores/embedded-engine.ts'
import { openBlobs } from '../stores/blobs.ts'
import { sqlitePath } from '../stores/data-folder.ts'
import { systemClock } from '../process/system-clock.ts'
import { compareDerived, settlingMs } from './compare-derived.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Tables'
const remedy = 'restore a backup into a new data folder, or continue without these rows: see docs/damage.md'
const repair = 'restore a backup, or stop the server and set the part aside: heddle doctor --repair'

export interface CheckTablesOptions {
  /** Compares only the lists of parts, not their content. */
  isQuick: boolean
  onStep: (step: string) => void
}

/**
 * Has the engine read every part of every table, compares the parts with those that were noted, and says whether a start would be refused. Uses the engine of a
 * running server, or starts one on the folder. That engine is sent nothing that writes, but like each start of a server it moves parts that it cannot read
 * to the folder `detached` of their table; and notes of parts that cannot be read get `.damaged` behind their name.
 */
export async function* checkTables(configuration: Configuration, options: CheckTablesOptions): AsyncGenerator<Finding> {
  const dataDir = join(configuration.dataDir, 'engine')
  if (configuration.clickhouseUrl !== undefined) return yield* checkCluster(configuration, configuration.clickhouseUrl, options)
  if (!existsSync(join(dataDir, 'store'))) return
  const running = await connectEngine(dataDir)
  const engine =
    running ??
    (await startEmbeddedEngine({ dataDir }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))))
  if (engine instanceof Error) {
    if (/in use|holds|locked/.test(engine.message))
      yield warning(name, `not read: ${engine.message}`, 'stop the server to have all parts read')
    else
      yield failure(
        name,
        `the engine does not start on ${dataDir}: ${engine.message}`,
        'restore a backup into a new data folder: see docs/damage.md',
      )
    return
  }
  const analytical = createClickHouseStore({ target: { engine }, writes: 'direct', timing: systemTiming })
  try {
    if (!running) yield* checkStart(configuration, analytical, dataDir)
    if (options.isQuick) return
    const areWhole = yield* checkParts(analytical, options, () => repair)
    if (areWhole && (await hasDerived(analytical))) yield* compareDerived(analytical.stored, running ? settlingMs : 0)
  } finally {
    await analytical.close()
    await engine.stop()
  }
}

/** Checks a ClickHouse server. The check of the engine reports one that does not answer or is too old. */
async function* checkCluster(configuration: Configuration, url: string, options: CheckTablesOptions): AsyncGenerator<Finding> {
  const found = await examineCluster(url).catch(() => undefined)
  if (!found?.isCreated) return
  const analytical = createClickHouseStore({ target: { url }, timing: systemTiming })
  try {
    yield* checkMarks(configuration, analytical)
    if (options.isQuick) return
    const areWhole = yield* checkParts(analytical, options, repairOfCluster)
    if (areWhole && (await hasDerived(analytical))) yield* compareDerived(analytical.stored, settlingMs)
  } finally {
    await analytical.close()
  }
}

const repairOfCluster = ({ table, part }: { table: string; part: string }) =>
  `restore a backup of ClickHouse, or set the part aside there: ALTER TABLE heddle.${table} DETACH PART '${part}'; where another replica has it, ClickHouse fetches it from there`

/** What the next start of a server would meet. */
async function* checkStart(configuration: Configuration, analytical: Analytical, folder: string): AsyncGenerator<Finding> {
  const { lost } = await examineParts({ analytical, folder, now: () => systemClock() / 1e6 })
  for (const { table, name: part, rows } of lost) yield failure(name, `part ${part} of table ${table} is gone with ${rows} rows`, remedy)
  yield* checkMarks(configuration, analytical)
}

/** Whether the stores belong together. */
async function* checkMarks(configuration: Configuration, analytical: Analytical): AsyncGenerator<Finding> {
  const database = sqlitePath(configuration.dataDir)
  if (configuration.databaseUrl !== undefined) return
  const refusal = await findRefusal({ database, analytical: analytical.stored, blobs: openBlobs(configuration) })
  if (refusal !== undefined)
    yield failure('Stores', refusal, 'the server does not start: restore a backup, or one of the ways in docs/damage.md')
}

/** Returns whether all are whole. */
async function* checkParts(
  analytical: Analytical,
  { onStep }: CheckTablesOptions,
  remedyOf: (part: { table: string; part: string }) => string,
): AsyncGenerator<Finding, boolean> {
  let read = 0
  let damaged = 0
  for await (const { table, part, reason, total } of checkAllParts(analytical.stored)) {
    onStep(`Reading parts of tables: ${++read} of ${total}`)
    if (reason === undefined) continue
    damaged++
    yield failure(name, `part ${part} of table ${table} is damaged (${reason}); queries that read it fail`, remedyOf({ table, part }))
  }
  if (damaged === 0) yield ok(name, `${read} parts read, all as they were written`)
  return damaged === 0
}

/** A folder of a version before has other tables until its next start. */
async function hasDerived(analytical: Analytical): Promise<boolean> {
  const found = await analytical.stored.rows(
    sql`SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'traces' AND name = 'is_behind'`,
  )
  return found.length > 0
}
