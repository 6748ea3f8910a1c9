import { noteReleased, referenceBlobs, releaseBlobsAtOnce } from '@heddle/datastore'
import { recoveryHolder } from '../../blob-holders.ts'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import type { RecoveryStore } from './recovery-store.ts'

const digestsOf = (files: CheckpointFiles) => Object.values(files).map(({ digest }) => digest)

export function sqlRecoveryStore(): RecoveryStore {
  return {
    async reference(transaction, jobId, files) {
      // Locks the job, whose end releases what it holds.
      const { numUpdatedRows } = await transaction
        .updateTable('training_jobs')
        .set({ status: 'running' })
        .where('id', '=', jobId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      const runs = numUpdatedRows > 0n
      if (runs) await referenceBlobs(transaction, recoveryHolder(jobId), digestsOf(files))
      else await noteReleased(transaction, digestsOf(files))
      return runs
    },
    keepOnly: (transaction, jobId, files) => releaseBlobsAtOnce(transaction, recoveryHolder(jobId), files.flatMap(digestsOf)),
  }
}
