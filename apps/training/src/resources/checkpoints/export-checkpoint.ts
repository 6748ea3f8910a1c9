import { Readable } from 'node:stream'
import type { BytesStream } from '@heddle/core-api/internal'
import { badRequest } from '@heddle/core-api/internal'
import type { RequestWork } from '@heddle/identity'
import { ModelFileError } from '../../checkpoint-files/model-file-error.ts'
import { type Export, type ExportRequest, openExport } from '../../model-export/export-files.ts'
import { type ExportFormat, exportNumbers, type ExportNumbers } from '../../model-export/export-format.ts'
import type { ExportedModel } from '../../model-export/model-card.ts'
import { tarBytes, tarOf } from '../../model-export/sized-tar.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import { TokenizerError } from '../../tokenizer/tokenizer-error.ts'
import type { FindBase } from '../models/find-base.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { CheckpointRow } from './checkpoint-row.ts'
import type { ExportTurns } from './export-turns.ts'

/** The job that made a checkpoint, for the card of an exported model. Null if it is not stored any more. */
export type DescribeJob = (work: RequestWork, jobId: string) => Promise<ExportedModel['job']>

export interface ExportCheckpointDeps {
  findBase: FindBase
  versions: Pick<ModelVersions, 'hold'>
  describeJob: DescribeJob
  turns: ExportTurns
}

/** The checkpoint in the files of another program. `numbers` null: the default of the format. */
export interface ExportAs {
  format: ExportFormat
  numbers: ExportNumbers | null
}

export type ExportCheckpoint = (work: RequestWork, of: { model: ModelRow; checkpoint: CheckpointRow }, as: ExportAs) => Promise<BytesStream>

/**
 * Weights are converted while they are sent, a part at a time; the files of the checkpoint stay in place until then. Work ends with the request.
 * @throws ApiError 400 for what the format does not hold, 429 when too many exports run
 */
export function createExportCheckpoint(deps: ExportCheckpointDeps): ExportCheckpoint {
  const { findBase, versions, turns } = deps
  return async (work, { model, checkpoint }, as) => {
    const numbers = numbersOf(as)
    const base = await findBase(model)
    const endTurn = await turns.begin(work, model.project_id)
    const ends = [endTurn]
    const end = () => {
      for (const each of ends.splice(0).toReversed()) each()
    }
    try {
      const described = await describeExported({ model, checkpoint }, work, deps)
      const held = await versions.hold({ baseModel: model.base_model, checkpoint }, work.signal)
      ends.push(held.release)
      const folders = { base: base.folder, checkpoint: held.version.folder }
      const { files, close } = await openFiles({ ...folders, model: described, format: as.format, numbers })
      ends.push(close)
      work.signal.throwIfAborted()
      const content = Readable.from(tarOf(files, new Date(checkpoint.created_at / 1000)), { objectMode: false, signal: work.signal })
      content.once('close', end)
      return {
        content_type: 'application/x-tar',
        content,
        cancel: () => void content.destroy(),
        sizeBytes: tarBytes(files),
        status: 200,
        headers: {},
      }
    } catch (error) {
      end()
      throw error
    }
  }
}

async function describeExported(
  { model, checkpoint }: { model: ModelRow; checkpoint: CheckpointRow },
  work: RequestWork,
  { describeJob }: ExportCheckpointDeps,
): Promise<ExportedModel> {
  return {
    name: `${model.project_id}/${model.name}`,
    baseModel: model.base_model,
    step: checkpoint.step,
    metrics: checkpoint.metrics,
    job: checkpoint.job_id === null ? null : await describeJob(work, checkpoint.job_id),
  }
}

async function openFiles(request: ExportRequest): Promise<Export> {
  try {
    return await openExport(request)
  } catch (error) {
    throw toExportError(error, [request.base, request.checkpoint])
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
