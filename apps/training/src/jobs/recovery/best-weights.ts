import { rm } from 'node:fs/promises'
import { JobFailure } from '@heddle/jobs'
import { type CheckpointFiles, newFolder } from '../../checkpoint-files/stored-files.ts'
import type { TrainingSession } from '../../engine/engine.ts'
import type { Attempt } from '../attempt.ts'
import type { TrainingJobDeps } from '../training-job-deps.ts'

/** The weights of a pass with the optimizer that belongs to them, as blobs. */
export interface StoredWeights {
  files: CheckpointFiles
  state: CheckpointFiles
}

/** The weights of the best pass so far: in folders of the attempt, and as blobs from the next recovery point on. */
export interface BestWeights {
  /** Replaces them by those of the session. */
  keep(session: TrainingSession): Promise<void>
  /** Makes them blobs to which the job refers; null if there are none. @throws JobFailure when the job has ended meanwhile */
  store(): Promise<StoredWeights | null>
  /** Calls `work` with their blobs, which are kept meanwhile. */
  publish<T>(work: (kept: StoredWeights) => Promise<T>): Promise<T>
}

type WeightsPlace = { in: 'folders'; checkpoint: string; state: string } | { in: 'blobs'; kept: StoredWeights }

/** @param recovered those of the recovery point where the attempt begins */
export function createBestWeights(
  { begun, running, context, folder }: Attempt,
  recovered: StoredWeights | null,
  { recovery, storeFiles }: Pick<TrainingJobDeps, 'recovery' | 'storeFiles'>,
): BestWeights {
  let best: WeightsPlace | null = recovered && { in: 'blobs', kept: recovered }

  async function referenced(of: string): Promise<CheckpointFiles> {
    return storeFiles(running.project, of, async (files) => {
      if (!(await context.commit((transaction) => recovery.reference(transaction, begun.job.id, files))))
        throw new JobFailure('the job was ended', { isPermanent: true })
      return files
    })
  }

  return {
    async keep(session) {
      for (const name of ['best', 'best-optimizer']) await rm(`${folder}/${name}`, { recursive: true, force: true })
      const [checkpoint, state] = [await newFolder(folder, 'best'), await newFolder(folder, 'best-optimizer')]
      await session.saveCheckpoint(checkpoint, context.signal)
      await session.saveState(state, context.signal)
      best = { in: 'folders', checkpoint, state }
    },
    async store() {
      if (best?.in === 'folders')
        best = { in: 'blobs', kept: { files: await referenced(best.checkpoint), state: await referenced(best.state) } }
      return best && best.kept
    },
    async publish(work) {
      if (best === null) throw new Error('no weights of a pass were kept')
      if (best.in === 'blobs') return work(best.kept)
      const { checkpoint, state: left } = best
      return storeFiles(running.project, checkpoint, (files) => storeFiles(running.project, left, (state) => work({ files, state })))
    },
  }
}
