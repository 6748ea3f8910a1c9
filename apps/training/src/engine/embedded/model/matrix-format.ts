import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { openTensorFiles, type TensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import { layOutModel, listBaseParameters, type MatrixFormat } from './parameters.ts'

/** In which the matrices of a model's files are kept while they do not change: in BF16 if all of them are, which loses nothing, and otherwise in F32. */
export function readMatrixFormat(folder: string, config: ModelConfig): MatrixFormat {
  const files = openTensorFiles(folder, 'model')
  try {
    return matrixFormatOf(files, config)
  } finally {
    files.close()
  }
}

/** @throws ModelFileError when one is missing */
export function matrixFormatOf(files: TensorFiles, config: ModelConfig): MatrixFormat {
  const matrices = listBaseParameters(layOutModel(config, 'F32')).filter(({ columns }) => columns > 0)
  return matrices.every(({ name, shape }) => files.check(name, shape) === 'BF16') ? 'BF16' : 'F32'
}
