import { join } from 'node:path'
import { connectEngine, examineJournals, type JournalDamage, readDamageReports } from '@heddle/datastore'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Journals'

/** Finds journals whose files are damaged, and those that the server has kept with a report of the missing rows. One finding for each. */
export async function checkJournals(dataDir: string): Promise<Finding[]> {
  const folder = join(dataDir, 'engine', 'journal')
  const isServed = (await connectEngine(join(dataDir, 'engine'))) !== undefined
  // The files of a running server change while they are read.
  const damages = [...(await readDamageReports(folder)), ...(isServed ? [] : await examineJournals(folder))]
  return damages.length === 0 ? [ok(name, 'not damaged')] : damages.map(judge)
}

function judge({ table, part, isCertain, reason, recovered, missing, folder }: JournalDamage): Finding {
  const lost = missing.bytes === 0 ? 'nothing missing' : `${describe(missing)} missing`
  const detail = `journal ${part} of table ${table} is damaged (${reason}): ${lost}, ${describe(recovered)} recovered; the files are kept in ${folder}`
  const remedy = `restore the missing data from a backup or send it again, keep the files ${part}.* for a bug report, and move them elsewhere to clear this message`
  if (isCertain) return failure(name, detail, remedy)
  return warning(name, `${detail}; a power failure during an unacknowledged write also looks like this`, remedy)
}

function describe({ bytes, blocks, rows }: { bytes: number | undefined; blocks?: number | undefined; rows?: number | undefined }): string {
  if (bytes === undefined) return 'an unknown number of acknowledged rows'
  const counted = [blocks === undefined ? [] : `${blocks} blocks`, rows ? `${rows} rows` : []].flat()
  return [formatBytes(bytes), ...counted].join(', ')
}
