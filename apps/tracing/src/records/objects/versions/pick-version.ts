import type { DigestArgument } from './digest-argument.ts'
import type { ObjectKind } from './object-class.ts'

/** Position of a version among those of its name. */
export interface VersionPlace {
  kind: ObjectKind
  digest: string
  version_index: number
  is_latest: 0 | 1
}

/**
 * The version of one name that an argument means. Aliases are unknown here: the text of one is compared with digests. An index that both kinds have
 * means the object.
 */
export function pickVersion<V extends VersionPlace>(versions: readonly V[], argument: DigestArgument): V | undefined {
  switch (argument.by) {
    case 'latest':
      return versions.find(({ is_latest }) => is_latest === 1)
    case 'digest':
      return versions.find(({ digest }) => digest === argument.digest)
    case 'alias':
      return versions.find(({ digest }) => digest === argument.alias)
    case 'index': {
      const same = versions.filter(({ version_index }) => version_index === argument.version_index)
      return same.find(({ kind }) => kind === 'object') ?? same[0]
    }
  }
}
