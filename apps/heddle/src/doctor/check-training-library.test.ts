import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { checkTrainingLibrary } from './check-training-library.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-doctor-library-'))
afterAll(() => rmSync(folder, { recursive: true }))

const here = { trainingEngineUrl: undefined, trainingLauncherFile: undefined }

test('without a library there is nothing to say', async () => {
  expect(await checkTrainingLibrary({ ...here, trainingBlasFile: undefined })).toEqual([])
})

test('a file that cannot be loaded is a failure, with its path and the setting', async () => {
  const trainingBlasFile = join(folder, 'text.so')
  writeFileSync(trainingBlasFile, 'text')
  expect(await checkTrainingLibrary({ ...here, trainingBlasFile })).toEqual([
    {
      name: 'Training library',
      state: 'failure',
      detail: expect.stringContaining(`cannot load the library "${trainingBlasFile}"`) as string,
      remedy: expect.stringContaining('unset HEDDLE_TRAINING_BLAS_FILE') as string,
    },
  ])
})

test.each([{ trainingEngineUrl: 'http://127.0.0.1:1' }, { trainingLauncherFile: 'launcher.json' }])(
  'beside the training server of %j it is not used, and not tried',
  async (elsewhere) => {
    const [finding] = await checkTrainingLibrary({ ...here, ...elsewhere, trainingBlasFile: 'none.so' })
    expect(finding).toMatchObject({ state: 'warning', detail: 'none.so is not used: models run on a training server' })
  },
)

// The library is a package of 8 MB.
test.each(inject('long') ? ['scipy-openblas32==0.3.34.481.3'] : [])(
  'of the library in %s its version is shown, and how many products have the bits of the engine',
  async (name) => {
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, name], { timeout: 300_000 })
    const trainingBlasFile = join(folder, 'scipy_openblas32/lib/libscipy_openblas.so')
    const [finding] = await checkTrainingLibrary({ ...here, trainingBlasFile })
    expect(finding).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/\(OpenBLAS 0\.3\.34\..*\) computes .* to the bits of the engine$/) as string,
    })
  },
  360_000,
)
