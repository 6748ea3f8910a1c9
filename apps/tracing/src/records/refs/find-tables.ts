import { parseRef } from '@heddle/core-api'
import { refScheme } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { ResolveRefs } from './resolve-refs.ts'

/**
 * Digests of the tables behind locations of a project, such as `object/name:digest/attr/rows` or `table/digest`, by location. Locations that lead to
 * no table of the project are omitted.
 */
export type FindTables = (project: ProjectScope, places: readonly string[]) => Promise<Map<string, string>>

export function createFindTables(resolveRefs: ResolveRefs): FindTables {
  return async (project, places) => {
    const tables = new Map<string, string>()
    const start = `${refScheme}${project.id}/`
    const note = (place: string, text: unknown) => {
      const ref = typeof text === 'string' ? parseRef(text) : undefined
      const isTable = ref?.kind === 'table' && ref.rowDigest === null && `${ref.entity}/${ref.project}` === project.id
      if (isTable) tables.set(place, ref.digest)
    }
    const toObjects = places.filter((place) => !place.startsWith('table/'))
    for (const place of places) if (place.startsWith('table/')) note(place, start + place)
    const resolved = await resolveRefs(
      project,
      toObjects.map((place) => start + place),
    )
    for (const place of toObjects) {
      const found = resolved.get(start + place)
      if (found?.status === 'found') note(place, found.value)
    }
    return tables
  }
}
