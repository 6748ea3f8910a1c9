/** An artifact whose files a client uploads. Its id on the wire contains all of its data, so nothing is stored for one without files. */
export interface ArtifactName {
  projectId: string
  collection: string
}

export function toArtifactId({ projectId, collection }: ArtifactName): string {
  return Buffer.from(JSON.stringify([projectId, collection])).toString('base64url')
}

/** Undefined for a text that is not an id of an artifact. */
export function parseArtifactId(id: unknown): ArtifactName | undefined {
  if (typeof id !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(id, 'base64url').toString())
    const [projectId, collection] = Array.isArray(value) ? (value as unknown[]) : []
    return typeof projectId === 'string' && isCollection(collection) ? { projectId, collection } : undefined
  } catch {
    return undefined
  }
}

/** Names of collections are parts of addresses. */
export const isCollection = (name: unknown): name is string => typeof name === 'string' && /^[\w.-]{1,128}$/.test(name)
