import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { badRequest, type StagedBody } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope, RequestWork } from '@heddle/identity'
import { ModelFileError } from '../../checkpoint-files/model-file-error.ts'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import { type Engine, EngineError } from '../../engine/engine.ts'
import type { StoreFiles } from '../../checkpoint-files/stored-files.ts'
import type { Scratch } from '../../scratch.ts'
import { type RequestedWeights, toCallerError } from '../../engine/engine-failure.ts'
import type { FindBase } from '../models/find-base.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { NewCheckpoint } from './checkpoint-row.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'
import { unpackForModel } from './unpack-for-model.ts'

export interface ImportCheckpointDeps {
  engine: Pick<Engine, 'score' | 'unload'>
  findBase: FindBase
  store: CheckpointsStore
  storeFiles: StoreFiles
  bodies: BodyReader
  scratch: Scratch
  /** Bytes of an archive, packed and unpacked. */
  maxBytes: number
  clock: () => Micros
  newId: () => string
}

/** Makes the weights in an archive the first checkpoint of a model. */
export type ImportCheckpoint = (work: RequestWork, project: ProjectScope, model: ModelRow, content: StagedBody) => Promise<NewCheckpoint>

/**
 * Everything is checked before anything is stored: the layout of the files, that training can continue from them, and that the engine computes with
 * them.
 */
export function createImportCheckpoint(deps: ImportCheckpointDeps): ImportCheckpoint {
  const { engine, findBase, store, storeFiles, bodies, scratch, maxBytes, clock, newId } = deps

  async function compute(folder: string, baseModel: string, signal: AbortSignal): Promise<void> {
    const key = `import/${randomUUID()}/`
    const tokens = Int32Array.of(0, 0)
    try {
      await engine.score({ key, baseModel, folder }, [{ tokens, scored: Uint8Array.of(0, 1) }], signal)
    } finally {
      await engine.unload(key)
    }
  }

  return async ({ caller, signal }, project, model, content) => {
    const { id, folder: baseFolder, adapter } = await findBase(model)
    const folder = await scratch.newFolder('imports', randomUUID())
    try {
      await bodies.readOne(unpackForModel, {
        content: () => content.read(),
        sizeBytes: content.sizeBytes,
        unpacks: true,
        input: { folder, base: { id, folder: baseFolder, adapter }, maxBytes },
        signal,
        caller,
      })
      await compute(folder, id, signal)
      return await storeFiles(project, folder, async (files) => {
        const row: NewCheckpoint = {
          id: newId(),
          model_id: model.id,
          step: 1,
          metrics: { imported_files: Object.keys(files).length },
          files,
          job_id: null,
          created_at: clock(),
        }
        await store.insertFirst(project, row)
        return row
      })
    } catch (error) {
      throw toImportError(error, folder, { name: model.base_model, step: null })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** The caller learns what is wrong with the files, but not where they were unpacked. */
function toImportError(error: unknown, folder: string, requested: RequestedWeights): unknown {
  const isOfFiles =
    error instanceof ModelFileError || (error instanceof EngineError && (error.kind === 'damaged' || error.kind === 'unsupported'))
  if (isOfFiles)
    return badRequest(`the checkpoint cannot be imported: ${error.message.replaceAll(`${folder}/`, '').replaceAll(folder, 'it')}`)
  return toCallerError(error, requested)
}
