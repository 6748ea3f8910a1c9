import { displayNameOf, parseRef, type Ref } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'

/** Something that a call names. */
export interface CallLink {
  kind: 'op' | 'parent' | 'thread' | 'run' | 'object' | 'call' | 'linked span'
  title: string
  /** Address of its page; undefined where this server has none. */
  href?: string
}

/** A longer list would be unreadable. */
export const maxLinks = 100
/** Values of a call that are looked through for references. */
const maxValues = 20_000

type LinkedCall = Pick<
  Call,
  'op_name' | 'parent_id' | 'thread_id' | 'inputs' | 'output' | 'attributes' | 'project_id' | 'wb_run_id' | 'wb_run_step'
>

/** References of a call: its op, its parent, its conversation, objects in its inputs and output, and spans that its span links to. */
export function linksOfCall(call: LinkedCall): { links: CallLink[]; leftOut: number } {
  const links = [
    ...opLink(call),
    ...(call.parent_id === null
      ? []
      : [{ kind: 'parent' as const, title: call.parent_id, href: pageAt(call.project_id, 'calls', call.parent_id) }]),
    ...(call.thread_id === null
      ? []
      : [{ kind: 'thread' as const, title: call.thread_id, href: pageAt(call.project_id, 'threads', call.thread_id) }]),
    ...runLink(call),
    ...spanLinks(call),
    ...[...refsIn([call.inputs, call.output, call.attributes])].map(refLink),
  ]
  return { links: links.slice(0, maxLinks), leftOut: Math.max(0, links.length - maxLinks) }
}

function opLink({ op_name }: LinkedCall): CallLink[] {
  return parseRef(op_name) ? [{ ...refLink(op_name), title: displayNameOf({ op_name }) }] : []
}

function runLink({ wb_run_id, wb_run_step }: LinkedCall): CallLink[] {
  if (wb_run_id === null) return []
  return [{ kind: 'run', title: wb_run_step === null ? wb_run_id : `${wb_run_id}, step ${String(wb_run_step)}` }]
}

/** Spans of OpenTelemetry link to other spans, often of other traces. The calls of a trace are found by its id. */
function spanLinks({ attributes, project_id }: LinkedCall): CallLink[] {
  const links = memberOf(memberOf(attributes, 'otel_span'), 'links')
  if (!Array.isArray(links)) return []
  return links.flatMap((link: unknown) => {
    const span = memberOf(link, 'span_id')
    const trace = memberOf(link, 'trace_id')
    if (typeof span !== 'string' || span === '') return []
    return [
      {
        kind: 'linked span' as const,
        title: typeof trace === 'string' ? `${span} of trace ${trace}` : span,
        href: pageAt(project_id, 'calls', span),
      },
    ]
  })
}

/** References among the texts of some values, each once. */
function refsIn(values: readonly unknown[]): Set<string> {
  const found = new Set<string>()
  const open: unknown[] = values.toReversed()
  for (let seen = 0; open.length > 0 && seen < maxValues; seen++) {
    const value = open.pop()
    if (typeof value === 'string') {
      if (value.startsWith('weave:///') && parseRef(value)) found.add(value)
    } else if (typeof value === 'object' && value !== null) open.push(...Object.values(value).slice(0, maxValues).toReversed())
  }
  return found
}

function refLink(text: string): CallLink {
  const ref = parseRef(text)
  const href = ref && pageOfRef(ref)
  return { kind: ref?.kind === 'call' || ref?.kind === 'op' ? ref.kind : 'object', title: text, ...(href && { href }) }
}

/** Tables have no separate page: they are the rows of datasets. */
function pageOfRef(ref: Ref): string | undefined {
  const project = `${ref.entity}/${ref.project}`
  if (ref.kind === 'table') return undefined
  if (ref.kind === 'call') return pageAt(project, 'calls', ref.id)
  return `${pageAt(project, ref.kind === 'op' ? 'ops' : 'objects', ref.name)}?version=${encodeURIComponent(ref.digest)}`
}

/** The address of a page of a project. */
const pageAt = (project: string, ...path: string[]) =>
  `/${[...project.split('/'), ...path].map((part) => encodeURIComponent(part)).join('/')}`
