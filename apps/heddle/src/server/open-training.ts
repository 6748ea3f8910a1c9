import { composeTraining, type TrainingParts } from './compose-training.ts'
import { withBlobRemoval } from './remove-released-blobs.ts'
import { sweepBlobsAlone } from './sweep-blobs-alone.ts'
import { openTrainingEngine, type TrainingEngineParts } from './training-engine.ts'
import type { OpenTraining } from './training-on-demand.ts'
import { systemClock } from '../process/system-clock.ts'

type OpenTrainingParts = Omit<TrainingParts, 'engine' | 'refusedBaseModels'> & TrainingEngineParts

/** The engine, and the training service over it. Loaded when a server first needs it. @throws UsageError for a setting that cannot be used */
export async function openTraining(parts: OpenTrainingParts): Promise<OpenTraining> {
  const { engine, refusedBaseModels } = await openTrainingEngine(parts)
  const { dataDir } = parts.configuration
  const composed = withBlobRemoval(composeTraining({ ...parts, engine, refusedBaseModels }), { ...parts, dataDir })
  const service = parts.isAlone ? sweepBlobsAlone(composed, { ...parts, clock: systemClock }).service : composed
  return {
    service,
    engine,
    async close() {
      await service.close()
      await engine.close()
    },
  }
}
