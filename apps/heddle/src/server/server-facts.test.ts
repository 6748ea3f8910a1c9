import { expect, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { serverFacts } from './server-facts.ts'

test.each([
  [{}, undefined],
  [{ HEDDLE_TRAINING_BLAS_FILE: '/lib/blas.so' }, '/lib/blas.so'],
  [{ HEDDLE_TRAINING_BLAS_FILE: '/lib/blas.so', HEDDLE_TRAINING_ENGINE_URL: 'http://127.0.0.1:1' }, undefined],
])('with the settings %j the library of models on this machine is %s', (environment, library) => {
  const configuration = toConfiguration({ environment, flags: {} })
  expect(serverFacts(configuration, { serviceHosts: [] }).trainingLibrary).toBe(library)
})
