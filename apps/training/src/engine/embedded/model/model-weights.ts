import { readAdapterConfig } from '../../../checkpoint-files/adapter-config.ts'
import { readModelConfig } from '../../../checkpoint-files/read-model-config.ts'
import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { ModelFileError } from '../../../checkpoint-files/model-file-error.ts'
import type { PartedTensorSource, TensorSource } from '../../../checkpoint-files/safetensors.ts'
import { openTensorFiles, type TensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import type { AdapterSettings } from '../../engine.ts'
import type { Block } from '../blocks.ts'
import { clearFloats } from '../kernels/clear-floats.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { finish, type Work } from '../work.ts'
import { readMatrixFormat } from './matrix-format.ts'
import { blocksOfRows, fillPanels, readPanels } from './panels.ts'
import {
  bytesOf,
  layOutAdapter,
  layOutModel,
  listAdapterParameters,
  listBaseParameters,
  type MatrixFormat,
  type ModelParameters,
  type Parameter,
  placeParameters,
} from './parameters.ts'
import { fillRotaryTables, placeRotaryTables, rotaryTableBytes } from './rotary-tables.ts'

/** Weights in memory, with the allocation that holds them. */
export interface LoadedWeights {
  model: ModelParameters
  block: Address
}

/** Bytes that a model takes in memory with its matrices in a format. */
export function modelBytes(config: ModelConfig, format: MatrixFormat): number {
  return bytesOf(listBaseParameters(layOutModel(config, format))) + rotaryTableBytes(config)
}

/** A model with memory for its weights, which are zero. @throws OutOfMemoryError */
export function allocateModel(memory: KernelMemory, config: ModelConfig, format: MatrixFormat = 'F32'): LoadedWeights {
  const { model, block } = placeModel(memory, config, format)
  finish(clearFloats(memory, block, modelBytes(config, format) / 4))
  finish(fillRotaryTables(memory, config, model))
  return { model, block }
}

/** A model with memory for its weights and tables, which are undefined. @throws OutOfMemoryError */
export function placeModel(memory: KernelMemory, config: ModelConfig, format: MatrixFormat): LoadedWeights {
  const model = layOutModel(config, format)
  const parameters = listBaseParameters(model)
  const block = memory.allocateDirty(modelBytes(config, format))
  placeParameters(parameters, block)
  Object.assign(model, placeRotaryTables(config, block + bytesOf(parameters)))
  return { model, block }
}

/** Weights whose memory is allocated, and the work that reads them into it. */
export interface OpenedWeights extends LoadedWeights {
  /** Yields after each block. @throws ModelFileError */
  read(): Work<void>
}

/** Opens a model in its folder: `config.json` and `model.safetensors`, or the files of its index. @throws ModelFileError, OutOfMemoryError */
export function openModel(memory: KernelMemory, folder: string): OpenedWeights {
  const config = readModelConfig(folder)
  const format = readMatrixFormat(folder, config)
  const placed = placeModel(memory, config, format)
  return {
    ...placed,
    *read() {
      yield* clearFloats(memory, placed.block, modelBytes(config, format) / 4)
      yield* fillRotaryTables(memory, config, placed.model)
      yield* fillFrom(memory, folder, { stem: 'model', parameters: listBaseParameters(placed.model) })
    },
  }
}

/** Opens an adapter of `base` in its folder: `adapter_config.json` and `adapter_model.safetensors`. @throws ModelFileError, OutOfMemoryError */
export function openAdapter(memory: KernelMemory, folder: string, base: ModelParameters): OpenedWeights {
  const allocated = allocateAdapter(memory, base, readAdapterConfig(folder))
  const parameters = listAdapterParameters(allocated.model)
  return { ...allocated, read: () => fillFrom(memory, folder, { stem: 'adapter_model', parameters }) }
}

/** Reads a model at once. @throws ModelFileError, OutOfMemoryError */
export function loadModel(memory: KernelMemory, folder: string): LoadedWeights {
  const { model, block, read } = openModel(memory, folder)
  try {
    finish(read())
    return { model, block }
  } catch (error) {
    memory.free(block)
    throw error
  }
}

/** Adapters for `base` with memory for their weights, which are zero. @throws OutOfMemoryError */
export function allocateAdapter(memory: KernelMemory, base: ModelParameters, adapter: AdapterSettings): LoadedWeights {
  const model = layOutAdapter(base, adapter)
  const parameters = listAdapterParameters(model)
  const block = memory.allocate(bytesOf(parameters))
  placeParameters(parameters, block)
  return { model, block }
}

interface WeightsToFill {
  stem: string
  parameters: readonly Parameter[]
}

function* fillFrom(memory: KernelMemory, folder: string, { stem, parameters }: WeightsToFill): Work<void> {
  const files = openTensorFiles(folder, stem)
  try {
    for (const parameter of parameters) {
      for (const rows of blocksOfRows(parameter)) {
        if (!fillRows(memory, files, parameter, rows))
          throw new ModelFileError('damaged', `tensor "${parameter.name}" in ${folder} holds a number that is not finite`)
        yield
      }
    }
  } finally {
    files.close()
  }
}

/** False if one of the numbers is not finite. */
function fillRows(memory: KernelMemory, files: TensorFiles, parameter: Parameter, { first, count }: Block): boolean {
  const { name, shape, address, length, format } = parameter
  const range = { from: first, to: first + count }
  if (format === 'BF16') {
    const halves = files.readBfloat16Rows(name, shape, range)
    fillPanels(parameter, halves, memory.halves(address, length), first)
    return halves.every((half) => (half & 0x7f80) !== 0x7f80)
  }
  const rows = files.readRows(name, shape, range)
  fillPanels(parameter, rows, memory.floats(address, length), first)
  return rows.every(Number.isFinite)
}

/** A tensor as files hold it, read from memory in blocks of rows. @param address of numbers in the layout of the parameter. Default: its weights */
export function partedTensorOf(memory: KernelMemory, parameter: Parameter, address: Address = parameter.address): PartedTensorSource {
  const { name, shape, length } = parameter
  return {
    name,
    shape,
    *parts() {
      for (const rows of blocksOfRows(parameter)) yield readPanels(parameter, memory.floats(address, length), rows)
    },
  }
}

/** Tensors as files hold them, read from memory when they are written. */
export function tensorsOf(memory: KernelMemory, parameters: readonly Parameter[]): TensorSource[] {
  return parameters.map((parameter) => ({
    name: parameter.name,
    shape: parameter.shape,
    read: () => readPanels(parameter, memory.floats(parameter.address, parameter.length)),
  }))
}
