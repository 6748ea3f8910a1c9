import { expect, test } from 'vitest'
import { variablesOfServers } from './training-launcher.ts'

test('a training server on this machine gets what programs, Python and GPUs need, and no other variable', () => {
  const passed = { PATH: '/bin', HOME: '/root', LC_ALL: 'C', CUDA_VISIBLE_DEVICES: '0', HF_HOME: '/models', UV_CACHE_DIR: '/cache' }
  const kept = { HEDDLE_API_KEY: 'a', HEDDLE_DATABASE_URL: 'b', AWS_SECRET_ACCESS_KEY: 'c', PGPASSWORD: 'd', UNSET: undefined }
  expect(variablesOfServers({ ...passed, ...kept })).toEqual(passed)
})
