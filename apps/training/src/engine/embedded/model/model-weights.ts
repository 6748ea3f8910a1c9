import { readAdapterConfig } from '../../../checkpoint-files/adapter-config.ts'
import { readModelConfig } from '../../../checkpoint-files/read-model-config.ts'
import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { ModelFileError } from '../../../checkpoint-files/model-file-error.ts'
import type { TensorSource } from '../../../checkpoint-files/safetensors.ts'
import { openTensorFiles, type TensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import type { AdapterSettings } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { readMatrixFormat } from './matrix-format.ts'
import { fillPanels, readPanels } from './panels.ts'
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
import { fillRotaryTables, rotaryTableBytes } from './rotary-tables.ts'

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
  const model = layOutModel(config, format)
  const parameters = listBaseParameters(model)
  const block = memory.allocate(modelBytes(config, format))
  placeParameters(parameters, block)
  Object.assign(model, fillRotaryTables(memory, config, block + bytesOf(parameters)))
  return { model, block }
}

/** Reads a model from its folder: `config.json` and `model.safetensors`, or the files of its index. @throws ModelFileError, OutOfMemoryError */
export function loadModel(memory: KernelMemory, folder: string): LoadedWeights {
  const config = readModelConfig(folder)
  const loaded = allocateModel(memory, config, readMatrixFormat(folder, config))
  return fillFrom(memory, folder, { loaded, stem: 'model', parameters: listBaseParameters(loaded.model) })
}

/** Reads an adapter of `base` from its folder: `adapter_config.json` and `adapter_model.safetensors`. @throws ModelFileError, OutOfMemoryError */
export function loadAdapter(memory: KernelMemory, folder: string, base: ModelParameters): LoadedWeights {
  const loaded = allocateAdapter(memory, base, readAdapterConfig(folder))
  return fillFrom(memory, folder, { loaded, stem: 'adapter_model', parameters: listAdapterParameters(loaded.model) })
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
  loaded: LoadedWeights
  stem: string
  parameters: readonly Parameter[]
}

function fillFrom(memory: KernelMemory, folder: string, { loaded, stem, parameters }: WeightsToFill): LoadedWeights {
  try {
    const files = openTensorFiles(folder, stem)
    try {
      for (const parameter of parameters) {
        if (!fillParameter(memory, files, parameter)) {
          throw new ModelFileError('damaged', `tensor "${parameter.name}" in ${folder} holds a number that is not finite`)
        }
      }
    } finally {
      files.close()
    }
    return loaded
  } catch (error) {
    memory.free(loaded.block)
    throw error
  }
}

/** False if one of its numbers is not finite. */
function fillParameter(memory: KernelMemory, files: TensorFiles, parameter: Parameter): boolean {
  const { name, shape, address, length, format } = parameter
  if (format === 'BF16') {
    const halves = files.readBfloat16(name, shape)
    fillPanels(parameter, halves, memory.halves(address, length))
    return halves.every((half) => (half & 0x7f80) !== 0x7f80)
  }
  const tensor = files.read(name, shape)
  fillPanels(parameter, tensor, memory.floats(address, length))
  return tensor.every(Number.isFinite)
}

/** Tensors as files hold them, read from memory when they are written. */
export function tensorsOf(memory: KernelMemory, parameters: readonly Parameter[]): TensorSource[] {
  return parameters.map((parameter) => ({
    name: parameter.name,
    shape: parameter.shape,
    read: () => readPanels(parameter, memory.floats(parameter.address, parameter.length)),
  }))
}
