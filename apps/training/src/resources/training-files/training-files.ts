import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import { createListProjects } from '../models/list-projects.ts'
import { createOpenTrainingFile } from './open-training-file.ts'
import { trainingFilesHandlers } from './training-files-handlers.ts'
import { sqlTrainingFilesStore } from './training-files-store.sql.ts'

/** Uploaded files to learn from, in the form of OpenAI's API. */
export function createTrainingFiles(
  { database, blobs, clock, newId }: Platform,
  { keepBlobs, bodies }: { keepBlobs: KeepBlobs; bodies: BodyReader },
) {
  const store = sqlTrainingFilesStore(database)
  const openFile = createOpenTrainingFile(store)
  const listProjects = createListProjects(store)
  return { handlers: trainingFilesHandlers({ store, openFile, listProjects, blobs, keepBlobs, bodies, clock, newId }), openFile }
}
