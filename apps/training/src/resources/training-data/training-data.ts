import type { Outgoing } from '@heddle/outgoing'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import { createFindTrainingData } from './find-training-data.ts'
import { trainingDataHandlers } from './training-data-handlers.ts'
import type { TrainingDataStore } from './training-data-store.ts'

/** Conversations for supervised fine-tuning. */
export function createTrainingData({ blobs, clock }: Platform, on: { store: TrainingDataStore; keepBlobs: KeepBlobs; outgoing: Outgoing }) {
  return {
    handlers: trainingDataHandlers({ store: on.store, keepBlobs: on.keepBlobs, clock }),
    findTrainingData: createFindTrainingData({ blobs, ...on }),
  }
}
