import { stringifyJson } from '@heddle/json'
import type { TracingClient } from '../connect.ts'
import { writeCalls } from '../export/import-calls.ts'
import type { ForeignFormat, ForeignItem, ForeignSpan, JsonObject } from './foreign-item.ts'
import type { ForeignSource } from './foreign-sources.ts'
import { createLangfuseFormat } from './formats/langfuse.ts'
import { createMlflowFormat } from './formats/mlflow.ts'
import { createOpenaiFormat } from './formats/openai.ts'
import { createPhoenixFormat } from './formats/phoenix.ts'
import { createWeaveFormat } from './formats/weave.ts'
import { storeMedia } from './media/media-files.ts'
import { createImportCounts, type ImportCounts, type ImportReport } from './import-report.ts'
import { readRecords, type SourceFile } from './read-records.ts'
import { toExportRequest } from './to-otlp.ts'
import type { ChosenForm } from './source-text.ts'
import { surveyFiles } from './survey-files.ts'
import { createRunsWriter, type RunsWriter } from './runs/write-runs.ts'
import { createDatasetsWriter, type PublishedDataset } from './write-datasets.ts'
import { createPromptsWriter } from './write-prompts.ts'
import { createBatchWriter } from './write-in-batches.ts'
import { createScoresWriter } from './write-scores.ts'

const formats = {
  langfuse: createLangfuseFormat,
  phoenix: createPhoenixFormat,
  mlflow: createMlflowFormat,
  weave: createWeaveFormat,
  openai: createOpenaiFormat,
} as const satisfies Record<ForeignSource, () => ForeignFormat>

export interface ForeignImport {
  client: TracingClient
  /** `entity/project` to write to. */
  project: string
  from: ForeignSource
  /** A file, or a folder whose files are read. */
  path: string
  /** Encoding and separator of the files; detected by default. */
  form?: ChosenForm
  onStep: (step: string) => void
  /** Takes lines that say how files are read, before anything is stored. */
  onNote: (line: string) => void
}

/**
 * Imports an export of another product: spans through the ingest of OpenTelemetry, so that the same rules decide kind, usage, cost and messages; scores
 * as annotations; datasets; prompts; runs of datasets as evaluation runs. Ids are those of the export or follow from them: importing again changes nothing.
 * @throws UsageError with file and place of a record that cannot be read
 */
export async function importFrom({ client, project, from, path, form = {}, onStep, onNote }: ForeignImport): Promise<ImportReport> {
  const counts = createImportCounts()
  const format = formats[from]()
  const { files, media: mediaFiles, unknown } = await surveyFiles({ path, form, format, onStep, onNote })
  const target = { client, project, counts, onStep }
  const types = format.media?.types ?? new Map<string, string>()
  const media = await storeMedia({ ...target, folder: path, names: [...mediaFiles, ...unknown], types })
  format.media?.use(media.values)
  for (const file of media.others) {
    if (mediaFiles.includes(file)) counts.skip('media files', 'no record refers to them')
    else counts.skip('files', `${file} is not a file of JSON, CSV or Parquet`)
  }
  const scores = createScoresWriter(target)
  const runs = createRunsWriter(target)
  const written = await writeRecords({ ...target, from, files, format, runs, onScore: (score) => scores.survey(score) })
  // Once more: the spec of a score depends on all scores of its name.
  if (written.hasFeedback) {
    for await (const item of itemsOf(files, format)) {
      if (item.kind === 'score') await scores.addScore(item.score)
      if (item.kind === 'remark') await scores.addRemark(item.remark)
    }
    await scores.end()
  }
  // Trials of a run have the output and the scores of calls that are stored by now.
  await runs.end(written.datasets)
  return counts
}

type Score = Extract<ForeignItem, { kind: 'score' }>['score']

interface Writing extends Pick<ForeignImport, 'client' | 'project' | 'from' | 'onStep'> {
  files: readonly SourceFile[]
  format: ForeignFormat
  counts: ImportCounts
  runs: RunsWriter
  onScore: (score: Score) => void
}

interface WriteSummary {
  datasets: PublishedDataset[]
  hasFeedback: boolean
}

/** Writes everything but scores, remarks and runs. */
async function writeRecords({ client, project, from, files, format, counts, runs, onStep, onScore }: Writing): Promise<WriteSummary> {
  const limits = { maxItems: 500, maxSize: 4 << 20, counts, onStep }
  const spans = createBatchWriter<ForeignSpan>({ what: 'spans', ...limits, write: (batch) => sendSpans(client, project, from, batch) })
  const write = async (batch: readonly JsonObject[]) => void (await writeCalls(client, project, batch))
  const calls = createBatchWriter<JsonObject>({ what: 'calls', ...limits, write })
  const datasets = createDatasetsWriter({ client, project, counts })
  const prompts = createPromptsWriter({ client, project, counts })
  let hasFeedback = false
  for await (const item of itemsOf(files, format)) {
    hasFeedback ||= item.kind === 'score' || item.kind === 'remark'
    if (item.kind === 'span') await spans.add(item.span, stringifyJson(item.span.attributes).length)
    else if (item.kind === 'call') await calls.add(item.record, stringifyJson(item.record).length)
    else if (item.kind === 'row') datasets.add(item.dataset, item.row)
    else if (item.kind === 'prompt') prompts.add(item.prompt)
    else if (item.kind === 'score') onScore(item.score)
    else if (item.kind === 'run') runs.addRun(item.run)
    else if (item.kind === 'run item') runs.addItem(item.item)
    else if (item.kind === 'skipped') counts.skip(item.what, item.reason)
  }
  await spans.end()
  await calls.end()
  const published = await datasets.publish()
  await prompts.publish()
  return { datasets: published, hasFeedback }
}

async function* itemsOf(files: readonly SourceFile[], format: ForeignFormat): AsyncGenerator<ForeignItem> {
  for await (const { record, place } of readRecords(files)) yield* format.read(record, place)
}

async function sendSpans(client: TracingClient, project: string, from: string, batch: readonly ForeignSpan[]) {
  const bytes = toExportRequest(batch, from)
  const response = await client.otel.exportTrace({ 'project-id': project, content_type: 'application/json', bytes })
  const { partialSuccess } = JSON.parse(Buffer.from(response.bytes).toString('utf8') || '{}') as {
    partialSuccess?: { rejectedSpans?: string; errorMessage?: string }
  }
  return partialSuccess && { rejected: Number(partialSuccess.rejectedSpans ?? 0), reason: partialSuccess.errorMessage ?? 'refused' }
}
