import type { InputOf, tracing } from '@heddle/core-api'
import type { CreatedVersion, Op } from '@heddle/core-api/types'
import { type CollectionDeps, collectionHandlers } from '../../domain/object-collection/collection-handlers.ts'
import type { Collection } from '../../domain/object-collection/collection.ts'
import type { SourceFiles } from '../../domain/object-collection/source-files.ts'
import { opValue, placeholderSource } from '../../otlp/op-object.ts'

type Draft = InputOf<typeof tracing.ops.create>

/** Ops: each is a file of source code, and only its latest version is listed. */
function opsCollection({ sources }: { sources: SourceFiles }): Collection<Draft, CreatedVersion, Op> {
  return {
    fallbackName: 'Op',
    members: { is_op: true, latest_only: true },
    toValue: async ({ source_code }, { project }) => opValue(await sources.put(project, source_code || placeholderSource)),
    toCreated: (version) => version,
    async toItem(version, value, { project }) {
      return { ...version, code: value['_type'] === 'CustomWeaveType' ? await sources.read(project, value) : '' }
    },
  }
}

/** Ops, as a view over objects. */
export const createOps = (deps: CollectionDeps, { sources }: { sources: SourceFiles }) => ({
  handlers: collectionHandlers(deps, opsCollection({ sources })),
})
