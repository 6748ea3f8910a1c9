import { z } from 'zod'
import { defineResource } from '../operation.ts'

const QueueCheck = z.object({
  success: z.boolean(),
  duration: z.number().describe('Seconds'),
  error: z.string().nullable().describe('What failed. Null on success'),
})

/** What `systemCheck` returns, with status 200 or 503. */
export const SystemCheck = z
  .object({
    api: z.boolean().describe('True'),
    database: z.boolean().describe('Whether the stores respond'),
    cpu_queue: QueueCheck.describe('The queue of jobs'),
    gpu_queue: QueueCheck.describe('The engine that runs and trains models'),
  })
  .meta({ id: 'SystemCheck' })
export type SystemCheck = z.output<typeof SystemCheck>

/** The training service itself. */
export const health = defineResource('The training service itself', {
  check: {
    method: 'GET',
    path: '/v1/health',
    effect: 'read',
    summary: 'Check that the training service is running',
    description: 'Needs no API key if the operator has configured it so.',
    output: z.object({ status: z.string().describe('`ok`') }),
  },
  systemCheck: {
    method: 'GET',
    path: '/v1/system-check',
    effect: 'read',
    summary: 'Check the parts of the training service',
    description: 'Status 503 with the same body when a check fails. Each check takes at most 5 seconds.',
    output: SystemCheck,
  },
})
