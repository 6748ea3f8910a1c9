import { Readable } from 'node:stream'
import type { BytesStream } from '@heddle/core-api/internal'
import { badRequest } from '@heddle/core-api/internal'
import type { RequestWork } from '@heddle/identity'
import { ModelFileError } from '../../checkpoint-files/model-file-error.ts'
import type { Engine } from '../../engine/engine.ts'
import { openExport } from '../../model-export/export-files.ts'
import { type ExportFormat, exportNumbers, type ExportNumbers } from '../../model-export/export-format.ts'
import { tarBytes, tarOf } from '../../model-export/sized-tar.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import { TokenizerError } from '../../tokenizer/tokenizer-error.ts'
import type { ModelRow } from '../models/model-row.ts'
import { toJob } from '../training-jobs/training-job-row.ts'
import type { TrainingJobsStore } from '../training-jobs/training-jobs-store.ts'
import type { CheckpointRow } from './checkpoint-row.ts'

export interface ExportCheckpointDeps {
  engine: Pick<Engine, 'baseModels'>
  versions: Pick<ModelVersions, 'hold'>
  jobs: Pick<TrainingJobsStore, 'find'>
}

/** The checkpoint in the files of another program. `numbers` null: the default of the format. */
export interface ExportAs {
  format: ExportFormat
  numbers: ExportNumbers | null
}

export type ExportCheckpoint = (work: RequestWork, of: { model: ModelRow; checkpoint: CheckpointRow }, as: ExportAs) => Promise<BytesStream>

/** Weights are converted while they are sent, a part at a time; the files of the checkpoint stay in place until then. */
export function createExportCheckpoint({ engine, versions, jobs }: ExportCheckpointDeps): ExportCheckpoint {
  return async (work, { model, checkpoint }, as) => {
    const { format } = as
    const numbers = numbersOf(as)
    const base = (await engine.baseModels()).find(({ id }) => id === model.base_model)
    if (!base) throw badRequest(`the base model "${model.base_model}" of the model is not served here`)
    const job = checkpoint.job_id === null ? undefined : await jobs.find(work, checkpoint.job_id)
    const held = await versions.hold({ baseModel: model.base_model, checkpoint }, work.signal)
    try {
      const { files, close } = await openExport({
        base: base.folder,
        checkpoint: held.version.folder,
        model: {
          name: `${model.project_id}/${model.name}`,
          baseModel: model.base_model,
          step: checkpoint.step,
          metrics: checkpoint.metrics,
          job: job ? { id: job.id, kind: job.kind, config: toJob(job).config } : null,
        },
        format,
        numbers,
      })
      const content = Readable.from(tarOf(files, new Date(checkpoint.created_at / 1000)), { objectMode: false })
      content.once('close', () => {
        close()
        held.release()
      })
      return {
        content_type: 'application/x-tar',
        content,
        cancel: () => void content.destroy(),
        sizeBytes: tarBytes(files),
        status: 200,
        headers: {},
      }
    } catch (error) {
      held.release()
      throw toExportError(error, [base.folder, held.version.folder])
    }
  }
}

function numbersOf({ format, numbers }: ExportAs): ExportNumbers {
  const possible: readonly ExportNumbers[] = exportNumbers[format]
  if (numbers === null) return possible[0]!
  if (possible.includes(numbers)) return numbers
  throw badRequest(`numbers "${numbers}" are not written as ${format}; use ${possible.join(', ')}`)
}

/** The caller learns what the format does not hold, but not where the server keeps files. */
function toExportError(error: unknown, folders: readonly (string | null)[]): unknown {
  if (!(error instanceof ModelFileError || error instanceof TokenizerError)) return error
  const hidden = folders.reduce<string>(
    (text, folder) => (folder === null ? text : text.replaceAll(`${folder}/`, '').replaceAll(folder, 'its folder')),
    error.message,
  )
  return badRequest(`the checkpoint cannot be exported: ${hidden}`)
}
