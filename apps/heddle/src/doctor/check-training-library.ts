import { NativeLibraryError, tryNativeLibrary } from '@heddle/training'
import { modelEngineEntry } from '../process/child-entries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { runsModels } from '../settings/runs-models.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

const name = 'Training library'

/** Loads the BLAS library in a separate process and compares its matrix products with those of the engine, bit by bit. Empty if none is configured. */
export async function checkTrainingLibrary(
  configuration: Pick<Configuration, 'trainingBlasFile' | 'trainingEngineUrl' | 'trainingLauncherFile'>,
): Promise<Finding[]> {
  const { trainingBlasFile: library } = configuration
  if (library === undefined) return []
  if (!runsModels(configuration))
    return [warning(name, `${library} is not used: models run on a training server`, 'unset HEDDLE_TRAINING_BLAS_FILE')]
  try {
    const { version, share } = await tryNativeLibrary({ entry: modelEngineEntry, library })
    const bits = share === 1 ? 'all usual products' : `${Math.floor(share * 100)} % of the usual products`
    return [ok(name, `${library} (${version ?? 'it does not say its version'}) computes ${bits} to the bits of the engine`)]
  } catch (error) {
    if (!(error instanceof NativeLibraryError)) throw error
    return [failure(name, error.message, 'name another library with CBLAS, such as that of OpenBLAS, or unset HEDDLE_TRAINING_BLAS_FILE')]
  }
}
