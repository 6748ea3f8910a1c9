import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Finding, ok } from './finding.ts'

const name = 'Refused rows'

/** Looks for rows that were acknowledged and that their table did not take: the server keeps them in files. */
export async function checkRefusedRows(dataDir: string): Promise<Finding> {
  const journal = join(dataDir, 'engine', 'journal')
  const files = await readdir(journal, { recursive: true }).catch(() => [])
  const refused = files.filter((file) => /(^|\/)refused\/[^/]+\.rows$/.test(file))
  if (refused.length === 0) return ok(name, 'none')
  const first = join(journal, refused[0] ?? '')
  return failure(
    name,
    `${refused.length} ${refused.length === 1 ? 'file' : 'files'} with acknowledged rows that their table rejected, first: ${first}`,
    'keep these files and report this: it is a bug in Heddle',
  )
}
