import { findAbandonedCopies } from '../backup/abandoned-copies.ts'
import { findAbandonedDrafts } from '../backup/abandoned-drafts.ts'
import { type Finding, warning } from './finding.ts'

/** Looks for folders that killed backups and restores left in the data folder and next to it; no finding if there are none. */
export async function* checkDrafts(dataDir: string): AsyncGenerator<Finding> {
  for (const path of await findAbandonedDrafts(dataDir))
    yield warning(
      'Restore',
      `${path} was left by a restore that was killed`,
      'remove it; the next restore of this data folder does so as well',
    )
  for (const path of await findAbandonedCopies(dataDir))
    yield warning('Backup', `${path} was left by a backup that was killed`, 'start the server, which removes it within an hour')
}
