import { parseRef } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { parsePath } from '../../../query/fields/parse-path.ts'
import type { CallColumns } from '../calls-store.ts'

type Root = 'inputs' | 'output' | 'attributes' | 'summary'
const roots: readonly string[] = ['inputs', 'output', 'attributes', 'summary'] satisfies Root[]

/** Values of object and op refs; refs that are kept (deleted, unknown) are omitted. */
export type ResolveRefs = (refs: readonly string[]) => Promise<ReadonlyMap<string, unknown>>

interface RefPath {
  root: Root
  segments: string[]
}

/**
 * Replaces the references at the given paths by their values, shallowest path first, so that a path may lead through an earlier reference. An object
 * gets its reference as `_ref`. Refs are looked up once per path for all calls.
 */
export async function expandRefs(calls: readonly CallColumns[], columns: readonly string[], resolve: ResolveRefs): Promise<CallColumns[]> {
  const payloads = calls.map((call) => new Payloads(call))
  for (const path of refPaths(columns)) {
    const refs = payloads.map((payload) => payload.refAt(path))
    const values = await resolve([...new Set(refs.filter((ref) => ref !== undefined))])
    payloads.forEach((payload, index) => {
      const ref = refs[index]
      if (ref !== undefined && values.has(ref)) payload.replace(path, withRef(values.get(ref), ref))
    })
  }
  return payloads.map((payload) => payload.toColumns())
}

function refPaths(columns: readonly string[]): RefPath[] {
  const paths = columns.flatMap((column) => {
    const [root = '', ...segments] = parsePath(column)
    return roots.includes(root) ? [{ root: root as Root, segments }] : []
  })
  return paths.sort((one, other) => one.segments.length - other.segments.length)
}

function withRef(value: unknown, ref: string): unknown {
  return isJsonObject(value) ? { _ref: ref, ...value } : value
}

/** The payloads of one call, parsed where a path needs them and copied where one changes. */
class Payloads {
  readonly #call: CallColumns
  readonly #parsed = new Map<Root, unknown>()
  readonly #changed = new Set<Root>()

  constructor(call: CallColumns) {
    this.#call = call
  }

  /** The reference to an object, an op or a part of one at a path; undefined if there is none. References to table rows are kept. */
  refAt({ root, segments }: RefPath): string | undefined {
    const value = segments.reduce<unknown>(memberOf, this.#value(root))
    if (typeof value !== 'string') return undefined
    const ref = parseRef(value)
    if (ref?.kind !== 'object' && ref?.kind !== 'op') return undefined
    return ref.edges.some(({ name }) => name === 'id') ? undefined : value
  }

  replace({ root, segments }: RefPath, value: unknown): void {
    this.#parsed.set(root, withReplaced(this.#value(root), segments, value))
    this.#changed.add(root)
  }

  toColumns(): CallColumns {
    const texts = [...this.#changed].map((root) => [root, stringifyJson(this.#value(root))])
    return { ...this.#call, ...Object.fromEntries(texts) }
  }

  #value(root: Root): unknown {
    if (!this.#parsed.has(root)) this.#parsed.set(root, parseJson(this.#call[root] ?? 'null'))
    return this.#parsed.get(root)
  }
}

function memberOf(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return value[Number(segment)] as unknown
  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
}

function withReplaced(value: unknown, [segment, ...rest]: readonly string[], replacement: unknown): unknown {
  if (segment === undefined) return replacement
  const member = withReplaced(memberOf(value, segment), rest, replacement)
  if (Array.isArray(value)) return value.with(Number(segment), member)
  return { ...(value as Record<string, unknown>), [segment]: member }
}
