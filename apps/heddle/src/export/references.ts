/** References in texts of a project to data that is stored separately. */
export interface NamedContents {
  tables: ReadonlySet<string>
  /** What may be digests of files: nothing in a text says which texts are. */
  contents: ReadonlySet<string>
  /** Takes in a JSON text. */
  read(text: string): void
}

/** Finds digests of tables of the project, and what may be digests of files, in JSON texts. */
export function findNamedContents(project: string): NamedContents {
  const tables = new Set<string>()
  const contents = new Set<string>()
  return {
    tables,
    contents,
    read(text) {
      for (const [, owner, digest] of text.matchAll(/weave:\/\/\/([^/"\\]+\/[^/"\\]+)\/table\/([0-9a-f]{64})/g))
        if (owner === project && digest !== undefined) tables.add(digest)
      for (const [, digest] of text.matchAll(/"([A-Za-z0-9]{43})\\*"/g)) if (digest !== undefined) contents.add(digest)
    },
  }
}

export interface ReferenceMapOptions {
  /** `entity/project` whose references are changed, and the one that takes its place. */
  from: string
  to: string
}

/** Where digests of a project went when it was imported: a value that names its project has another digest in each. */
export interface ReferenceMap {
  /** JSON text with the references in it changed, also those in texts that are JSON themselves. */
  map(text: string): string
  noteVersion(name: string, from: string, to: string): void
  noteTable(from: string, to: string): void
  noteRow(from: string, to: string): void
}

export function createReferenceMap({ from, to }: ReferenceMapOptions): ReferenceMap {
  const versions = new Map<string, string>()
  const tables = new Map<string, string>()
  const rows = new Map<string, string>()
  const note = (map: Map<string, string>) => (before: string, after: string) => void map.set(before, after)

  function mapPath(path: string): string {
    const [, kind, name, digest = '', edges = ''] = /^(object|op)\/([^:/]+):([^/]+)(.*)$/s.exec(path) ?? []
    if (kind !== undefined) return `${kind}/${name}:${versions.get(`${name}:${digest}`) ?? digest}${mapEdges(edges)}`
    const [, table, rest = ''] = /^table\/([0-9a-f]{64})(.*)$/s.exec(path) ?? []
    return table === undefined ? path : `table/${tables.get(table) ?? table}${mapEdges(rest)}`
  }

  function mapEdges(edges: string): string {
    return edges.replaceAll(/\/id\/([A-Za-z0-9]{43})/g, (edge, digest: string) => (rows.has(digest) ? `/id/${rows.get(digest)}` : edge))
  }

  return {
    // A reference is a whole text: it follows the opening quotation mark.
    map: (text) =>
      text.replaceAll(/"weave:\/\/\/([^/"\\]+\/[^/"\\]+)\/([^"\\]*)/g, (ref, project: string, path: string) =>
        project === from ? `"weave:///${to}/${mapPath(path)}` : ref,
      ),
    noteVersion: (name, from, to) => note(versions)(`${name}:${from}`, to),
    noteTable: note(tables),
    noteRow: note(rows),
  }
}

/** True for a JSON text in which there may be references. Without one, a value has the same digest wherever it is. */
export function mayHoldReferences(text: string): boolean {
  return text.includes('weave:///')
}
