import { join } from 'node:path'
import { type JournalDamage, readDamageReports } from '@heddle/datastore'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Journals'

/** Looks for journals whose files were damaged: the server keeps them, with a report of what is missing. One finding for each. */
export async function checkJournals(dataDir: string): Promise<Finding[]> {
  const damages = await readDamageReports(join(dataDir, 'engine', 'journal'))
  return damages.length === 0 ? [ok(name, 'not damaged')] : damages.map(judge)
}

function judge({ table, part, isCertain, reason, recovered, missing, folder }: JournalDamage): Finding {
  const lost = missing.bytes === 0 ? 'nothing missing' : `${describe(missing)} missing`
  const detail = `journal ${part} of table ${table} is damaged (${reason}): ${lost}, ${describe(recovered)} recovered; the files are kept in ${folder}`
  const remedy = `restore the missing data from a backup or send it again, keep the files ${part}.* for a bug report, and move them elsewhere to clear this message`
  if (isCertain) return failure(name, detail, remedy)
  return warning(name, `${detail}; a power failure during an unacknowledged write also looks like this`, remedy)
}

function describe({ bytes, blocks, rows }: { bytes: number; blocks?: number | undefined; rows?: number | undefined }): string {
  const counted = [blocks === undefined ? [] : `${blocks} blocks`, rows ? `${rows} rows` : []].flat()
  return [formatBytes(bytes), ...counted].join(', ')
}
