/** One change of an object name. Versions are named by their values, each of which is another content. */
export type ObjectChange =
  | { kind: 'publish'; val: number }
  | { kind: 'delete'; vals: readonly number[] }
  | { kind: 'tag'; val: number; tag: string }
  | { kind: 'alias'; val: number; alias: string }

interface ModelVersion {
  val: number
  isLive: boolean
  /** Grows with each publication that makes the version live. */
  published: number
  tags: readonly string[]
}

/** What an object name should hold, in plain data. */
export interface ObjectModel {
  /** By index. */
  versions: readonly ModelVersion[]
  /** Value of the latest version; undefined where none is live. */
  latest: number | undefined
  aliases: Readonly<Record<string, number>>
}

export const emptyObject: ObjectModel = { versions: [], latest: undefined, aliases: {} }

/** The name after a change that is possible in its state. */
export function applyChange(model: ObjectModel, change: ObjectChange): ObjectModel {
  switch (change.kind) {
    case 'publish':
      return { ...model, versions: withPublished(model.versions, change.val), latest: change.val }
    case 'delete':
      return withoutVersions(model, change.vals)
    case 'tag':
      return {
        ...model,
        versions: model.versions.map((one) => (one.val === change.val ? { ...one, tags: [...one.tags, change.tag] } : one)),
      }
    case 'alias':
      return { ...model, aliases: { ...model.aliases, [change.alias]: change.val } }
  }
}

function withPublished(versions: readonly ModelVersion[], val: number): ModelVersion[] {
  const fresh: ModelVersion = { val, isLive: true, published: 1 + Math.max(0, ...versions.map(({ published }) => published)), tags: [] }
  if (!versions.some((one) => one.val === val)) return [...versions, fresh]
  return versions.map((one) => (one.val === val && !one.isLive ? fresh : one))
}

function withoutVersions(model: ObjectModel, vals: readonly number[]): ObjectModel {
  const versions = model.versions.map((one) => (vals.includes(one.val) ? { ...one, isLive: false, tags: [] } : one))
  const newest = versions.filter(({ isLive }) => isLive).toSorted((a, b) => b.published - a.published)[0]
  return {
    versions,
    latest: model.latest !== undefined && vals.includes(model.latest) ? newest?.val : model.latest,
    aliases: Object.fromEntries(Object.entries(model.aliases).filter(([, val]) => !vals.includes(val))),
  }
}

/** The live versions as a reader sees them, by index. */
export function shownVersions({ versions, latest, aliases }: ObjectModel) {
  return versions.flatMap(({ val, isLive, tags }, version_index) => {
    if (!isLive) return []
    const own = Object.keys(aliases).filter((alias) => aliases[alias] === val)
    const is_latest = latest === val ? 1 : 0
    return [
      { version_index, is_latest, val, tags: [...new Set(tags)].sort(), aliases: [...(is_latest === 1 ? ['latest'] : []), ...own.sort()] },
    ]
  })
}
