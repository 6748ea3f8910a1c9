import type { Services } from '../connection/connect-services.ts'
import type { ProjectName } from '../tools/tool-context.ts'

/** The context of a resource's reader. */
export interface ResourceContext extends Services {
  signal: AbortSignal
  /** The configuration that `config://server` shows; never a key. */
  configuration: Record<string, unknown>
}

/** Something that is read whole, by a URI. */
export interface ResourceTemplate {
  name: string
  title: string
  description: string
  uriTemplate: string
  /** Milliseconds that a client may keep it. */
  ttlMs: number
  /**
   * Returns a reader of a value that differs between states, for resources that change while a job runs. Undefined if the resource cannot be watched.
   */
  watch?(parts: readonly string[]): (context: ResourceContext) => Promise<unknown>
  /** Undefined when the URI is of another template. */
  match(uri: string): string[] | undefined
  read(parts: readonly string[], context: ResourceContext): Promise<unknown>
}

/** Matches URIs segment by segment; `{…}` matches one, or in the end the rest where it begins with `+`. Segments are percent-decoded. */
export function matchUri(template: string): ResourceTemplate['match'] {
  const wanted = template.split('/')
  return (uri) => {
    const given = uri.split('/')
    const last = wanted.at(-1) ?? ''
    const takesRest = last.startsWith('{+')
    if (takesRest ? given.length < wanted.length : given.length !== wanted.length) return undefined
    const parts: string[] = []
    for (const [at, segment] of wanted.entries()) {
      const isVariable = segment.startsWith('{')
      const text = isVariable && takesRest && at === wanted.length - 1 ? given.slice(at).join('/') : (given[at] ?? '')
      if (!isVariable) {
        if (segment !== text) return undefined
        continue
      }
      const decoded = decode(text)
      if (decoded === undefined || decoded === '') return undefined
      parts.push(decoded)
    }
    return parts
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function toProject(entity: string, project: string): ProjectName {
  return { id: `${entity}/${project}`, entity, project }
}
