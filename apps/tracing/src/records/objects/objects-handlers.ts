import type { Handlers, tracing } from '@heddle/core-api'
import type { Context } from '@heddle/identity'
import { objectLabelsHandlers, type ObjectLabelsDeps } from './labels/object-labels-handlers.ts'
import { objectsReadHandlers, type ObjectsReadDeps } from './objects-read-handlers.ts'
import { objectsWriteHandlers, type ObjectsWriteDeps } from './objects-write-handlers.ts'

export type ObjectsDeps = ObjectsReadDeps & ObjectsWriteDeps & ObjectLabelsDeps

/** All operations on objects. */
export function objectsHandlers(deps: ObjectsDeps): Handlers<typeof tracing.objects, Context> {
  return { ...objectsWriteHandlers(deps), ...objectsReadHandlers(deps), ...objectLabelsHandlers(deps) }
}
