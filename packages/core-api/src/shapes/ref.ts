/** Prefix of a ref in its external form. */
export const refScheme = 'weave:///'
/** Prefix of a ref in its stored form: one internal project id instead of entity and project. */
export const internalRefScheme = 'weave-trace-internal:///'
/** Prefix that replaces a ref into a project that the reader has no access to. */
export const privateRefScheme = 'weave-private://///'

const edgeNames = ['attr', 'key', 'index', 'id'] as const

/** A step from a value to a part of it: member of a class instance, key, list position, table row. */
export interface RefEdge {
  name: (typeof edgeNames)[number]
  value: string
}

interface RefPlace {
  entity: string
  project: string
}

export interface ObjectRef extends RefPlace {
  kind: 'object' | 'op'
  name: string
  digest: string
  edges: RefEdge[]
}

export interface TableRef extends RefPlace {
  kind: 'table'
  digest: string
  /** Null for the whole table. */
  rowDigest: string | null
}

export interface CallRef extends RefPlace {
  kind: 'call'
  id: string
  edges: RefEdge[]
}

export type Ref = ObjectRef | TableRef | CallRef

/** A whole conversation, as what feedback is about. It is not resolved to a value, so `parseRef` does not read it. */
export interface ConversationRef extends RefPlace {
  /** Id of the thread, in any characters. */
  id: string
}

const conversationKind = 'agent_conversation'

/**
 * Reads a ref in its external form. Undefined for other schemes, unknown kinds, missing parts, and an odd number of or unknown edges.
 * @example
 * parseRef('weave:///local/default/call/c1') // { kind: 'call', entity: 'local', project: 'default', id: 'c1', edges: [] }
 * parseRef('https://example.com') // undefined
 */
export function parseRef(text: string): Ref | undefined {
  if (!text.startsWith(refScheme)) return undefined
  const parts = text.slice(refScheme.length).split('/')
  if (parts.at(-1) === '') parts.pop()
  const [entity, project, kind, subject, ...rest] = parts
  if (!entity || !project || !subject) return undefined
  const edges = parseEdges(rest)
  return edges && toRef({ entity, project }, kind, subject, edges)
}

function toRef(place: RefPlace, kind: string | undefined, subject: string, edges: RefEdge[]): Ref | undefined {
  if (kind === 'object' || kind === 'op') {
    const [name, digest, ...more] = subject.split(':')
    return name && digest && more.length === 0 ? { kind, ...place, name, digest, edges } : undefined
  }
  if (subject.includes(':')) return undefined
  if (kind === 'call') return { kind, ...place, id: subject, edges }
  if (kind !== 'table') return undefined
  const [row, ...more] = edges
  if (more.length > 0 || (row && row.name !== 'id')) return undefined
  return { kind, ...place, digest: subject, rowDigest: row?.value ?? null }
}

function parseEdges(parts: string[]): RefEdge[] | undefined {
  if (parts.length % 2 !== 0) return undefined
  const edges: RefEdge[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const name = edgeNames.find((known) => known === decodePart(parts[at] ?? ''))
    const value = decodePart(parts[at + 1] ?? '')
    if (!name || (name === 'index' && !/^-?\d+$/.test(value))) return undefined
    edges.push({ name, value })
  }
  return edges
}

/**
 * Writes a ref in its external form.
 * @example
 * formatRef({ kind: 'object', entity: 'local', project: 'default', name: 'prompt', digest: 'v1', edges: [] }) // 'weave:///local/default/object/prompt:v1'
 */
export function formatRef(ref: Ref): string {
  const start = `${refScheme}${ref.entity}/${ref.project}/${ref.kind}/`
  if (ref.kind === 'table') return start + ref.digest + (ref.rowDigest === null ? '' : `/id/${encodePart(ref.rowDigest)}`)
  const subject = ref.kind === 'call' ? ref.id : `${ref.name}:${ref.digest}`
  return start + subject + ref.edges.map((edge) => `/${edge.name}/${encodePart(edge.value)}`).join('')
}

/** Reads a ref to a conversation in its external form. Undefined for all other texts. */
export function parseConversationRef(text: string): ConversationRef | undefined {
  if (!text.startsWith(refScheme)) return undefined
  const [entity, project, kind, id, ...rest] = text.slice(refScheme.length).split('/')
  if (kind !== conversationKind || !entity || !project || !id || rest.join('/') !== '') return undefined
  return { entity, project, id: decodePart(id) }
}

/**
 * Writes a ref to a conversation in its external form, with the id percent-encoded.
 * @example
 * formatConversationRef({ entity: 'local', project: 'default', id: 'chat 7' }) // 'weave:///local/default/agent_conversation/chat%207'
 */
export function formatConversationRef({ entity, project, id }: ConversationRef): string {
  return `${conversationRefsOf({ entity, project })}${encodePart(id)}`
}

/** How refs to the conversations of a project begin. */
export function conversationRefsOf({ entity, project }: RefPlace): string {
  return `${refScheme}${entity}/${project}/${conversationKind}/`
}

/** Percent-encodes all but ASCII letters, digits and `_ . - ~`. */
function encodePart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Decodes percent sequences; `+` and a `%` without two hexadecimal digits are kept. */
function decodePart(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (pair) => Number.parseInt(pair, 16))
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  })
}
