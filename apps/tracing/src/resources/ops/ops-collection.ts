import type { CreatedVersion, InputOf, Op, tracing } from '@heddle/core-api'
import type { Collection } from '../../object-collection/collection.ts'
import type { SourceFiles } from '../../object-collection/source-files.ts'
import { opValue, placeholderSource } from '../../otlp/op-object.ts'

type Draft = InputOf<typeof tracing.ops.create>

/** Ops: each is a file of source code, and only its latest version is listed. */
export function opsCollection({ sources }: { sources: SourceFiles }): Collection<Draft, CreatedVersion, Op> {
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
