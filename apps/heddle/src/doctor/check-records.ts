import { existsSync } from 'node:fs'
import { examineSqlite, remedyOfDatabase } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { sqlitePath } from '../server/stores.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Records'

/** Looks for damage in the relational database of the data folder: its pages, its indexes, and acknowledged commits that are missing. Nothing is changed. */
export async function* checkRecords(
  { dataDir, databaseUrl }: Pick<Configuration, 'dataDir' | 'databaseUrl'>,
  { isQuick }: { isQuick: boolean },
): AsyncGenerator<Finding> {
  if (databaseUrl !== undefined) return
  const path = sqlitePath(dataDir)
  let unfinished: string | undefined
  const damage = examineSqlite({
    path,
    depth: isQuick ? 'start' : 'whole',
    onUnfinished: ({ examined, all }) => (unfinished = `${examined} of ${all} tables examined`),
  })
  if (damage) yield failure(name, `${path} is damaged: ${damage.reason}`, `the server does not start; ${remedyOfDatabase(damage)}`)
  else if (unfinished !== undefined) yield warning(name, `${path}: ${unfinished}`, 'run it without --quick to examine all')
  else if (existsSync(path)) yield ok(name, `${path} is intact${isQuick ? ' (indexes not compared)' : ''}`)
}
