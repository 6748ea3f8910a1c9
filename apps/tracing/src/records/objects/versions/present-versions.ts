import { formatTimestamp } from '@heddle/core-api'
import type { ObjectVersion, RegistryLink } from '@heddle/core-api/types'
import { JsonText, tooLarge } from '@heddle/core-api/internal'
import { StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { RequestRefProjects } from '../../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../../payload/rewrite-refs.ts'
import type { ObjectLabelsStore, StoredLink, VersionLabels } from '../object-labels-store.ts'
import type { ObjectValuesStore } from '../values/object-values-store.ts'
import type { StoredVersion } from '../objects-store.ts'

/** Bytes of the values in one answer. */
const maxAnswerBytes = 256 * 1024 * 1024
/** About the bytes of values that are read at a time; a larger one is read alone. */
const bytesAtOnce = 8 * 1024 * 1024

/** How much of versions is shown. */
export interface VersionsView {
  values: boolean
  sizes: boolean
  /** Tags, aliases and links to registries. */
  labels: boolean
}

/**
 * Versions of one project as the caller may see them, in their order.
 * @throws 413 where their values are too large for one answer, 502 where the store has lost a value.
 */
export type PresentVersions = (
  request: { project: ProjectScope; projects: RequestRefProjects; view: VersionsView },
  versions: readonly StoredVersion[],
) => Promise<ObjectVersion[]>

interface PresentVersionsDeps {
  values: ObjectValuesStore
  labels: ObjectLabelsStore
}

export function createPresentVersions({ values, labels }: PresentVersionsDeps): PresentVersions {
  return async ({ project, projects, view }, versions) => {
    const shown = view.values ? await readValues(values, { project, projects }, versions) : undefined
    const known = view.labels ? await labels.readLabels(project, versions) : []
    return Promise.all(
      versions.map(async (version, index) => {
        const named = known[index] && (await toLabels(version, known[index], projects))
        return toObjectVersion(version, { val: shown ? shown[index] : {}, size: view.sizes, named })
      }),
    )
  }
}

async function readValues(
  values: ObjectValuesStore,
  { project, projects }: { project: ProjectScope; projects: RequestRefProjects },
  versions: readonly StoredVersion[],
): Promise<JsonText[]> {
  const bytes = versions.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  if (bytes > maxAnswerBytes) {
    throw tooLarge(`the values of ${versions.length} versions have ${bytes} bytes; ask for fewer by limit, or with metadata_only`)
  }
  const shown: JsonText[] = []
  for (const some of inBatches(versions)) {
    const found = await values.read(project, [...new Set(some.map(({ digest }) => digest))])
    for (const { object_id, digest } of some) {
      const json = found.get(digest)
      if (json === undefined) throw new StoreError('failed', `the value of object ${object_id}:${digest} is not in the store`)
      shown.push(new JsonText(await hidePrivateRefs(json, project.id, projects.maySee)))
    }
  }
  return shown
}

function* inBatches(versions: readonly StoredVersion[]): Generator<StoredVersion[]> {
  let batch: StoredVersion[] = []
  let bytes = 0
  for (const version of versions) {
    if (batch.length > 0 && bytes + version.size_bytes > bytesAtOnce) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(version)
    bytes += version.size_bytes
  }
  if (batch.length > 0) yield batch
}

type Labels = Pick<ObjectVersion, 'tags' | 'aliases' | 'registry_links'>

/** The labels of a version, without links into projects that the reader may not see. */
async function toLabels({ is_latest }: StoredVersion, labels: VersionLabels, projects: RequestRefProjects): Promise<Labels> {
  const seen = await Promise.all(labels.links.map(async (link) => ((await projects.maySee(link.project_id)) ? [toRegistryLink(link)] : [])))
  const registry_links = seen.flat()
  return {
    tags: labels.tags,
    aliases: is_latest === 1 ? ['latest', ...labels.aliases] : labels.aliases,
    ...(registry_links.length > 0 && { registry_links }),
  }
}

function toRegistryLink(link: StoredLink): RegistryLink {
  return { ...link, created_at: formatTimestamp(link.created_at) }
}

/** A version as it is answered. Without `named` its labels are null. */
function toObjectVersion(
  version: StoredVersion,
  { val, size, named }: { val: unknown; size: boolean; named: Labels | undefined },
): ObjectVersion {
  return {
    ...version,
    created_at: formatTimestamp(version.created_at),
    deleted_at: version.deleted_at === null ? null : formatTimestamp(version.deleted_at),
    val,
    size_bytes: size ? version.size_bytes : null,
    ...(named ?? { tags: null, aliases: null }),
  }
}
