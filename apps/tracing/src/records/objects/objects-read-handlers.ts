import type { Handlers, tracing } from '@heddle/core-api'
import { badRequest, type ObjectsQuery, tooLarge } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { everyVersion } from './versions/every-version.ts'
import { findLiveVersion } from './versions/find-live-version.ts'
import type { ObjectsStore } from './objects-store.ts'
import type { PresentVersions } from './versions/present-versions.ts'

/** Versions in one answer. */
const maxVersions = 50_000

export interface ObjectsReadDeps {
  objects: ObjectsStore
  presentVersions: PresentVersions
  refProjects: RefProjectsFor
}

/** Operations that read versions of objects. */
export function objectsReadHandlers({
  objects,
  presentVersions,
  refProjects,
}: ObjectsReadDeps): Handlers<Pick<typeof tracing.objects, 'read' | 'query'>, Context> {
  return {
    async read({ project_id, object_id, digest, metadata_only, include_tags_and_aliases }, context) {
      const project = await context.open(project_id)
      const version = await findLiveVersion(objects, project, { object_id, digest })
      const view = { values: !metadata_only, sizes: false, labels: include_tags_and_aliases }
      const [obj] = await presentVersions({ project, projects: refProjects(project, context), view }, [version])
      if (obj === undefined) throw new Error(`object ${object_id} was found and not shown`)
      return { obj }
    },

    async query(input, context) {
      const project = await context.open(input.project_id)
      checkQuery(input)
      const versions = await objects.select(project, {
        filter: input.filter ?? everyVersion,
        sort_by: input.sort_by ?? [],
        limit: Math.min(input.limit ?? Number.POSITIVE_INFINITY, maxVersions + 1),
        offset: input.offset ?? 0,
      })
      if (versions.length > maxVersions)
        throw tooLarge(`more than ${maxVersions} versions match; ask for fewer at a time by limit and offset`)
      const view = { values: !input.metadata_only, sizes: input.include_storage_size, labels: input.include_tags_and_aliases }
      return { objs: await presentVersions({ project, projects: refProjects(project, context), view }, versions) }
    },
  }
}

function checkQuery({ limit, offset }: ObjectsQuery): void {
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (value !== null && value < 0) throw badRequest(`${name} must be at least 0, got ${value}`)
  }
}
