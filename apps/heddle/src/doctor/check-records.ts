import { existsSync } from 'node:fs'
import { examineSqlite, remedyOfDatabase } from '@heddle/datastore'
import { examinePostgres } from '@heddle/datastore/postgres'
import type { Configuration } from '../settings/configuration.ts'
import { sqlitePath } from '../stores/data-folder.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Records'

/** Looks for damage in the relational database. Of that of the data folder: its pages, its indexes, and acknowledged commits that are missing. Nothing is changed. */
export async function* checkRecords(
  { dataDir, databaseUrl }: Pick<Configuration, 'dataDir' | 'databaseUrl'>,
  { isQuick, onStep }: { isQuick: boolean; onStep: (step: string) => void },
): AsyncGenerator<Finding> {
  if (databaseUrl !== undefined) return yield* checkPostgres(databaseUrl, { isQuick, onStep })
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

const remedyOfPostgres = 'restore a backup of PostgreSQL, or repair the table there: see the log of the PostgreSQL server'

/** What PostgreSQL says of itself, and whether every row can be read. */
async function* checkPostgres(
  url: string,
  { isQuick, onStep }: { isQuick: boolean; onStep: (step: string) => void },
): AsyncGenerator<Finding> {
  const found = await examinePostgres({
    url,
    isQuick,
    onTable: ({ read, total }) => onStep(`Reading records: table ${read + 1} of ${total}`),
  })
  const damaged = found.tables.filter(({ reason }) => reason !== undefined)
  for (const { name: table, reason } of damaged) yield failure(name, `table ${table} of PostgreSQL is damaged: ${reason}`, remedyOfPostgres)
  if (found.checksumFailures > 0)
    yield failure(
      name,
      `PostgreSQL has met ${found.checksumFailures} pages of this database whose checksum does not match`,
      remedyOfPostgres,
    )
  if (found.newer !== undefined)
    yield failure(
      name,
      `the database was written by a newer version (its step ${found.newer})`,
      'the server does not start: use that version or a newer one',
    )
  if (!found.hasChecksums)
    yield warning(
      name,
      'PostgreSQL keeps no checksums of its pages: most damage of its disk is not noticed',
      'stop PostgreSQL and run pg_checksums --enable',
    )
  if (damaged.length === 0 && found.checksumFailures === 0)
    yield ok(name, `PostgreSQL ${found.version}, ${found.tables.length} tables${isQuick ? ' (rows not read)' : ', all rows read'}`)
}
