/** A call of a trace. */
export interface Node {
  id: string
  traceId: string
  parentId: string | null
  usesModel: boolean
}

/** The first and the last call that used a model. */
export interface Ends {
  first: string
  last: string
}

interface Row {
  id: string
  traceId: string
}

/** Deeper calls are not searched. */
const maxDepth = 1_000

/** The ends of the traces that rows represent, by the ids of rows. @param nodes in the order of their start */
export function endsOfTraces(nodes: readonly Node[], rows: readonly Row[]): Map<string, Ends> {
  const ofTraces = new Map<string, Ends>()
  for (const { id, traceId, usesModel } of nodes) if (usesModel) addEnd(ofTraces, traceId, id)
  return new Map(rows.flatMap(({ id, traceId }) => (ofTraces.has(traceId) ? [[id, ofTraces.get(traceId)!]] : [])))
}

/** The ends below the calls that are rows, by their ids. @param nodes in the order of their start */
export function endsOfSpans(nodes: readonly Node[], rows: readonly Pick<Row, 'id'>[]): Map<string, Ends> {
  const wanted = new Set(rows.map(({ id }) => id))
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  const ends = new Map<string, Ends>()
  for (const { id, parentId, usesModel } of nodes) {
    if (!usesModel) continue
    let above = parentId
    for (let depth = 0; above !== null && depth < maxDepth; depth++) {
      if (wanted.has(above)) addEnd(ends, above, id)
      above = parents.get(above) ?? null
    }
  }
  return ends
}

function addEnd(ends: Map<string, Ends>, key: string, id: string): void {
  ends.set(key, { first: ends.get(key)?.first ?? id, last: id })
}
