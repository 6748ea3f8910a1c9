import { referenceBlobs, releaseBlobs } from '@heddle/datastore'
import { recoveryHolder } from '../../blob-holders.ts'
import type { CheckpointFiles } from '../../resources/checkpoints/checkpoint-row.ts'
import type { RecoveryStore } from './recovery-store.ts'

const digestsOf = (files: CheckpointFiles) => Object.values(files).map(({ digest }) => digest)

export function sqlRecoveryStore(): RecoveryStore {
  return {
    reference: (transaction, jobId, files) => referenceBlobs(transaction, recoveryHolder(jobId), digestsOf(files)),
    async replace(transaction, jobId, files) {
      await releaseBlobs(transaction, recoveryHolder(jobId))
      await referenceBlobs(transaction, recoveryHolder(jobId), digestsOf(files))
    },
  }
}
