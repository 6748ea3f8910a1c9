import { memberOf } from '../../shapes/members.ts'
import { refScheme } from '../../shapes/ref.ts'

/** The fields of a call that determine its display name. Without `attributes`, a span gets the name of its op. */
export interface NamedCall {
  /** Op ref, or a plain name. */
  op_name: string
  display_name?: string | null | undefined
  attributes?: unknown
}

/**
 * The name by which to show a call: its display name, else the name that its span was sent with (`attributes.otel_span.name`), else the name
 * of its op. The op name of a span is a lower-case id, which several span names may share.
 * @example
 * displayNameOf({ op_name: 'weave:///local/default/op/answer:v1' }) // 'answer'
 */
export function displayNameOf({ display_name, attributes, op_name }: NamedCall): string {
  return display_name || spanNameOf(attributes) || opNameOf(op_name)
}

function spanNameOf(attributes: unknown): string | undefined {
  const name = memberOf(memberOf(attributes, 'otel_span'), 'name')
  return typeof name === 'string' ? name : undefined
}

function opNameOf(opName: string): string {
  const name = opName.startsWith(refScheme) ? /\/op\/([^:/]+)/.exec(opName)?.[1] : undefined
  if (name === undefined) return opName
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
