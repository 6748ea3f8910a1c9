import type { Outgoing } from '@heddle/outgoing'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import { createFindTrainingData } from './find-training-data.ts'
import { trainingDataHandlers } from './training-data-handlers.ts'
import { sqlTrainingDataStore } from './training-data-store.sql.ts'

/** Conversations for supervised fine-tuning. */
export function createTrainingData({ database, blobs, clock }: Platform, on: { keepBlobs: KeepBlobs; outgoing: Outgoing }) {
  const store = sqlTrainingDataStore(database)
  return {
    handlers: trainingDataHandlers({ store, keepBlobs: on.keepBlobs, clock }),
    findTrainingData: createFindTrainingData({ store, blobs, ...on }),
  }
}
