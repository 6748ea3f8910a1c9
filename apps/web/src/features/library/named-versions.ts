/** A version with an alias, in addition to its number. */
export interface NamedVersion {
  objectId: string
  isOp: boolean
  digest: string
  index: number
  /** Without `latest`, which moves automatically. */
  aliases: readonly string[]
  links: readonly Link[]
}

interface Link {
  project_id: string
  portfolio_name: string
  version_index: number
  aliases: readonly string[]
  wb_user_id: string
  created_at: string
}

interface ObjectVersion {
  object_id: string
  digest: string
  version_index: number
  kind: string
  aliases: readonly string[] | null
  registry_links?: readonly Link[] | null | undefined
}

/** The versions that a registry contains or that have their own alias, in their order. */
export function namedVersions(versions: readonly ObjectVersion[]): NamedVersion[] {
  return versions
    .map(({ object_id, digest, version_index, kind, aliases, registry_links }) => ({
      objectId: object_id,
      isOp: kind === 'op',
      digest,
      index: version_index,
      aliases: (aliases ?? []).filter((name) => name !== 'latest'),
      links: registry_links ?? [],
    }))
    .filter((version) => version.aliases.length > 0 || version.links.length > 0)
}
