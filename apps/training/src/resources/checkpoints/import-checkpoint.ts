import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { badRequest, type StagedBody } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { unpackCheckpoint } from '../../checkpoint-files/checkpoint-archive.ts'
import { copyTokenizer } from '../../checkpoint-files/copy-tokenizer.ts'
import { assertFitsModel } from '../../checkpoint-files/fits-model.ts'
import { ModelFileError } from '../../checkpoint-files/model-file-error.ts'
import { type Engine, EngineError } from '../../engine/engine.ts'
import { newFolder, type StoreFiles } from '../../jobs/stored-files.ts'
import { toCallerError } from '../chat-completions/generation/engine-failure.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { NewCheckpoint } from './checkpoint-row.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'

export interface ImportCheckpointDeps {
  engine: Pick<Engine, 'baseModels' | 'score' | 'unload'>
  store: CheckpointsStore
  storeFiles: StoreFiles
  /** Where archives are unpacked. */
  folder: string
  clock: () => Micros
  newId: () => string
}

/** Makes the weights in an archive the first checkpoint of a model. */
export type ImportCheckpoint = (project: ProjectScope, model: ModelRow, content: StagedBody) => Promise<NewCheckpoint>

/** Everything is checked before anything is stored: the layout of the files, that training can go on from them, and that the engine computes with them. */
export function createImportCheckpoint(deps: ImportCheckpointDeps): ImportCheckpoint {
  const { engine, store, storeFiles, clock, newId } = deps

  /** The tokenizer is that of the base model, which reads and writes chats. */
  async function complete(folder: string, model: ModelRow, signal: AbortSignal): Promise<void> {
    const base = (await engine.baseModels()).find(({ id }) => id === model.base_model)
    if (!base) throw badRequest(`the base model "${model.base_model}" of the model is not served here`)
    assertFitsModel(folder, base)
    const key = `import/${randomUUID()}/`
    const tokens = Int32Array.of(0, 0)
    try {
      await engine.score({ key, baseModel: base.id, folder }, [{ tokens, scored: Uint8Array.of(0, 1) }], signal)
    } finally {
      await engine.unload(key)
    }
    copyTokenizer(base.folder, folder)
  }

  return async (project, model, content) => {
    const folder = await newFolder(deps.folder, randomUUID())
    try {
      await unpackCheckpoint(Readable.from(content.read()), folder)
      await complete(folder, model, project.signal ?? new AbortController().signal)
      return await storeFiles(project, folder, async (files) => {
        const row: NewCheckpoint = {
          id: newId(),
          model_id: model.id,
          step: 1,
          metrics: { imported_files: (await readdir(folder)).length },
          files,
          job_id: null,
          created_at: clock(),
        }
        await store.insertFirst(project, row)
        return row
      })
    } catch (error) {
      throw toImportError(error, folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** What is wrong with the files is the caller's; where they were unpacked is not the caller's business. */
function toImportError(error: unknown, folder: string): unknown {
  const isOfFiles = error instanceof ModelFileError || (error instanceof EngineError && error.kind === 'damaged')
  if (isOfFiles)
    return badRequest(`the checkpoint cannot be imported: ${error.message.replaceAll(`${folder}/`, '').replaceAll(folder, 'it')}`)
  return toCallerError(error)
}
