import { badRequest } from '@heddle/core-api/internal'
import { StoreError } from '@heddle/datastore'
import { JobFailure } from '@heddle/jobs'
import { expect, test } from 'vitest'
import { EngineError } from '../engine/engine.ts'
import { TrainingInputError } from '../sequences/training-input-error.ts'
import { TrainingFailure } from '../training/training-failure.ts'
import { toJobFailure } from './job-failures.ts'

const full = Object.assign(new Error('ENOSPC: no space left on device, write /secret/path'), { code: 'ENOSPC' })

test.each([
  [new TrainingFailure('too steep'), 'too steep', true],
  [new TrainingInputError('line 2 is odd'), 'line 2 is odd', true],
  [badRequest('no such step'), 'no such step', true],
  [new EngineError('too-large', 'does not fit'), 'does not fit', true],
  [new EngineError('unavailable', 'restarting'), 'restarting', false],
  [new JobFailure('as it is', { isPermanent: true }), 'as it is', true],
  [full, 'no space is left on the disk of the server', false],
  [new StoreError('full', '/secret/path is full'), 'no space is left on the disk of the server', false],
  [new TypeError('secret words'), 'the job failed unexpectedly (TypeError)', false],
])('%s becomes the reason %j', (error, message, isPermanent) => {
  expect(toJobFailure(error)).toMatchObject({ message, isPermanent })
})
