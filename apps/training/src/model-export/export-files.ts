import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toConfigFile } from '../checkpoint-files/config-file.ts'
import type { FloatFormat } from '../checkpoint-files/float-formats.ts'
import { ModelFileError } from '../checkpoint-files/model-file-error.ts'
import { readJsonFile } from '../checkpoint-files/read-json-file.ts'
import type { ExportFormat, ExportNumbers } from './export-format.ts'
import { type ExportedFile, textFile } from './exported-file.ts'
import { ggufFile } from './gguf-file.ts'
import { toGgufTokenizer } from './gguf-tokenizer.ts'
import { type MergedWeights, openMergedWeights } from './merged-weights.ts'
import { type ExportedModel, toModelCard } from './model-card.ts'
import { readModelTokenizer } from './model-tokenizer.ts'
import { toModelfile } from './modelfile.ts'
import { safetensorsFile, toExportedConfig } from './safetensors-files.ts'

export interface ExportRequest {
  /** Folder of the base model. */
  base: string
  /** Folder of the checkpoint; null for the base model as it is. */
  checkpoint: string | null
  model: ExportedModel
  format: ExportFormat
  numbers: ExportNumbers
}

/** Files that are made while they are read; `close` ends that. */
export interface Export {
  files: readonly ExportedFile[]
  close(): void
}

/** Files that describe the tokenizer, in the folder of a base model. */
const tokenizerFiles = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'chat_template.json', 'generation_config.json']

/** @throws ModelFileError or TokenizerError that names what the format does not hold, and missing or damaged files */
export async function openExport(request: ExportRequest): Promise<Export> {
  const { base, model, format, numbers } = request
  const card = textFile('README.md', toModelCard(model, { format, numbers }))
  const shared = [card, ...tokenizerFiles.filter((name) => existsSync(join(base, name))).map((name) => copiedFile(base, name))]
  if (format === 'peft') return { files: [...shared, ...adapterFiles(request)], close: () => undefined }
  const weights = openMergedWeights(base, request.checkpoint)
  try {
    const own = format === 'gguf' ? await ggufFiles(request, weights) : safetensorsFiles(request, weights, numbers)
    return { files: [...shared, ...own], close: () => weights.close() }
  } catch (error) {
    weights.close()
    throw error
  }
}

function adapterFiles({ checkpoint, model }: ExportRequest): ExportedFile[] {
  if (checkpoint === null || !existsSync(join(checkpoint, 'adapter_config.json')))
    throw new ModelFileError('unsupported', `step ${model.step} has no adapter; export it as safetensors or gguf`)
  return ['adapter_config.json', 'adapter_model.safetensors'].map((name) => copiedFile(checkpoint, name))
}

const floatFormats: Readonly<Record<string, FloatFormat>> = { f32: 'F32', bf16: 'BF16', f16: 'F16' }

function safetensorsFiles({ base }: ExportRequest, weights: MergedWeights, numbers: ExportNumbers): ExportedFile[] {
  const format = floatFormats[numbers]!
  const path = join(base, 'config.json')
  const config = existsSync(path) ? (readJsonFile(path) as Record<string, unknown>) : toConfigFile(weights.config)
  return [textFile('config.json', `${JSON.stringify(toExportedConfig(config, format), null, 2)}\n`), safetensorsFile(weights, format)]
}

async function ggufFiles({ base, model, numbers }: ExportRequest, weights: MergedWeights): Promise<ExportedFile[]> {
  const tokenizer = await readModelTokenizer(base)
  const fileName = `model-${numbers}.gguf`
  const gguf = ggufFile(weights, {
    fileName,
    title: model.name,
    format: numbers === 'q8_0' ? 'Q8_0' : floatFormats[numbers]!,
    tokenizer: toGgufTokenizer(tokenizer, weights.config.vocabularySize),
  })
  return [gguf, textFile('Modelfile', toModelfile(fileName, tokenizer))]
}

function copiedFile(folder: string, name: string): ExportedFile {
  const path = join(folder, name)
  return { name, sizeBytes: statSync(path).size, content: () => createReadStream(path) }
}
