import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { FloatFormat } from './float-formats.ts'
import { findGguf } from './gguf/find-gguf.ts'
import { openGguf } from './gguf/open-gguf.ts'
import { ModelFileError } from './model-file-error.ts'
import { readJsonFile } from './read-json-file.ts'
import { openSafetensors } from './safetensors.ts'
import type { TensorFile } from './tensor-file.ts'

export interface RowRange {
  from: number
  to: number
}

/** The tensors of a model, in one file or in several with an index. */
export interface TensorFiles {
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws ModelFileError when it is missing, or has another shape than this */
  read(name: string, shape: readonly number[]): Float32Array
  /** Some rows of a tensor of this shape. @throws ModelFileError as `read` does */
  readRows(name: string, shape: readonly number[], rows: RowRange): Float32Array
  /** As `readRows`, of a tensor in BF16, which is not converted. */
  readBfloat16Rows(name: string, shape: readonly number[], rows: RowRange): Uint16Array
  /** Looks at the header alone; returns the format. @throws ModelFileError as `read` does */
  check(name: string, shape: readonly number[]): FloatFormat
  close(): void
}

const Index = z.object({ weight_map: z.record(z.string(), z.string()) })
const maxFiles = 1_000

/** Opens `<stem>.safetensors` of a folder, or the files that `<stem>.safetensors.index.json` lists, or else the GGUF file of a model. */
export function openTensorFiles(folder: string, stem: string): TensorFiles {
  const paths = listPaths(folder, stem)
  const files: TensorFile[] = []
  const close = () => files.forEach((file) => file.close())
  try {
    for (const path of paths) files.push(path.endsWith('.gguf') ? openGguf(path) : openSafetensors(path))
  } catch (error) {
    close()
    throw error
  }
  const find = (name: string) => files.find((file) => file.findShape(name))
  const get = (name: string) => {
    const file = find(name)
    if (!file) throw new ModelFileError('damaged', `${paths.join(', ')} has no tensor "${name}"`)
    return file
  }
  const getChecked = (name: string, shape: readonly number[]) => {
    const file = get(name)
    checkShape(file.describe(name), { name, shape, folder })
    return file
  }
  return {
    names: files.flatMap((file) => file.names),
    has: (name) => find(name) !== undefined,
    read: (name, shape) => checkShape(get(name).read(name), { name, shape, folder }).data,
    readRows: (name, shape, { from, to }) => getChecked(name, shape).readRows(name, from, to),
    readBfloat16Rows: (name, shape, { from, to }) => getChecked(name, shape).readBfloat16Rows(name, from, to),
    check: (name, shape) => checkShape(get(name).describe(name), { name, shape, folder }).format,
    close,
  }
}

function checkShape<T extends { shape: readonly number[] }>(
  tensor: T,
  expected: { name: string; shape: readonly number[]; folder: string },
): T {
  const { name, shape, folder } = expected
  if (tensor.shape.join() !== shape.join()) {
    throw new ModelFileError('damaged', `tensor "${name}" in ${folder} is [${tensor.shape.join(', ')}]; it should be [${shape.join(', ')}]`)
  }
  return tensor
}

function listPaths(folder: string, stem: string): string[] {
  const single = join(folder, `${stem}.safetensors`)
  if (existsSync(single)) return [single]
  const gguf = stem === 'model' ? findGguf(folder) : null
  return gguf === null ? listIndexed(folder, stem) : [gguf]
}

function listIndexed(folder: string, stem: string): string[] {
  const path = join(folder, `${stem}.safetensors.index.json`)
  if (!existsSync(path)) throw new ModelFileError('damaged', `${folder} has neither ${stem}.safetensors nor ${basename(path)}`)
  const names = [...new Set(Object.values(parseIndex(path).weight_map))]
  const isPlain = (name: string) => basename(name) === name && name.endsWith('.safetensors')
  if (names.length > maxFiles || !names.every(isPlain)) {
    throw new ModelFileError('damaged', `${path} must list at most ${maxFiles} safetensors files of its own folder`)
  }
  return names.map((name) => join(folder, name))
}

function parseIndex(path: string): z.output<typeof Index> {
  const parsed = Index.safeParse(readJsonFile(path))
  if (parsed.success) return parsed.data
  throw new ModelFileError('damaged', `${path} has no "weight_map" of tensor names to file names`, { cause: parsed.error })
}
