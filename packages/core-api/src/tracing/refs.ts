import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, type ListRefusal } from '../shapes/bounded.ts'
import { Reference } from '../shapes/identifier.ts'
import { AnyJson } from '../shapes/json.ts'

const tooManyRefs: ListRefusal = {
  code: 'bad_request',
  reason: ({ length, max }) => `Too many refs: ${length}, at most ${max} are allowed`,
}

/** References to stored values. */
export const refs = defineResource('Values by their references', {
  readBatch: {
    method: 'POST',
    path: '/refs/read_batch',
    effect: 'read',
    summary: 'Resolve references',
    description: 'References to objects, ops and rows of tables, with edges into the value. Deleted objects and missing parts are null.',
    body: z.object({ refs: listOf(Reference, 1000, tooManyRefs).describe('References, up to 1000') }),
    output: z.object({ vals: z.array(AnyJson).describe('One value for each reference, in order') }),
  },
})
