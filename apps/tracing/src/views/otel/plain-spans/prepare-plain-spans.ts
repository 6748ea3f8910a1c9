import type { PreparedRequest, PreparedSpans, SpanRequest } from '../span-request.ts'
import type { Random } from './example-spans.ts'
import type { ReferenceMapper } from './learn-template.ts'
import { PlainSpan } from './plain-span.ts'
import { findSpanGroups, requestOf, type Part, type SpanGroup } from './span-groups.ts'
import { SpanTemplates, type TemplateCosts, type TemplateGroup } from './span-templates.ts'
import { SpanValues } from './span-values.ts'

/** Maps spans by the rules, which always work. */
export interface RuleMapper {
  prepare(request: SpanRequest): PreparedRequest
  /** The row of the only span of a request; undefined if there is a message about it. */
  toRow(request: SpanRequest): ReturnType<ReferenceMapper['toRow']>
}

export interface PlainSpanOptions {
  costs?: TemplateCosts
  /** Chooses the values of the spans on which templates are tried. Default `Math.random`. */
  random?: Random
}

/** Upper estimate of a row's bytes beyond those sent. */
const rowOverhead = 2_500
/** Bytes of a resource with its scope. */
const longestCommonPart = 16_384
/**
 * After this many spans without a plain one, only one in `triedOthers` is tried: reading a span that is not plain takes a twentieth of mapping it.
 */
const usualOthers = 256
const triedOthers = 16
const usualCosts: TemplateCosts = { sightings: 16, spansPerTemplate: 250 }

/** A span that is mapped by the rules, before the plain one that is the `rows`th of its request. */
interface OtherSpan {
  group: SpanGroup
  part: Part
  before: number
}

/** Writes the rows of spans with a known signature by templates, and all others by the rules. The templates are kept across requests. */
export class PlainSpanPreparer {
  readonly #templates: SpanTemplates
  readonly #values = new SpanValues()
  readonly #rules: RuleMapper
  readonly #random: Random

  constructor(rules: RuleMapper, { costs = usualCosts, random = Math.random }: PlainSpanOptions = {}) {
    this.#rules = rules
    this.#templates = new SpanTemplates(costs)
    this.#random = random
  }

  /** Undefined for a request that is mapped entirely by the rules: no span of it has a template, or there is a message about one. */
  prepare(request: SpanRequest): PreparedSpans | undefined {
    const { bytes } = request
    const groups = request.encoding === 'protobuf' ? findSpanGroups(bytes) : undefined
    if (groups === undefined) return undefined
    const span = new PlainSpan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const rows = new RowSpace(
      request,
      groups.reduce((sum, { spans }) => sum + spans.length, 0),
    )
    const others: OtherSpan[] = []
    for (const group of groups) {
      const templates = this.#templatesOf(request, group)
      const mapperOf = () => this.#mapperOf(request, group)
      for (const part of group.spans) {
        if (templates !== undefined && this.#write(span, part, { templates, mapperOf, rows })) continue
        others.push({ group, part, before: rows.ends.length })
      }
    }
    if (rows.ends.length === 0) return undefined
    if (others.length === 0) return { status: 'prepared', rows: rows.bytes(), ends: rows.ends, rejected: 0, message: '' }
    return this.#withOthers(request, rows, others)
  }

  #write(
    span: PlainSpan,
    { start, length }: Part,
    { templates, mapperOf, rows }: { templates: TemplateGroup; mapperOf: () => ReferenceMapper; rows: RowSpace },
  ): boolean {
    if (templates.others > usualOthers && templates.others++ % triedOthers !== 0) return false
    if (!span.read(start, start + length)) {
      templates.others += 1
      return false
    }
    templates.others = 0
    const template = this.#templates.find(templates, span, mapperOf)
    if (template === undefined) return false
    const values = this.#values
    values.take(span, template.sums)
    const into = rows.withRoomFor(template.row.maxBytes(values))
    rows.end(template.row.write(values, into, rows.at))
    return true
  }

  /** Maps spans by the rules, with everything else as in the request. */
  #mapperOf({ bytes, encoding, headers, options, userId }: SpanRequest, group: SpanGroup): ReferenceMapper {
    const requestWith = (spans: readonly Uint8Array[]) => ({ bytes: requestOf(bytes, group, spans), encoding, headers, options, userId })
    return {
      toRow: (span) => this.#rules.toRow(requestWith([span])),
      toEncodedRows: (spans) => encodedRows(this.#rules.prepare(requestWith(spans)), spans.length),
      random: this.#random,
    }
  }

  #templatesOf({ bytes, headers, options, userId }: SpanRequest, { resource, scope }: SpanGroup): TemplateGroup | undefined {
    if ((resource?.length ?? 0) + (scope?.length ?? 0) > longestCommonPart) return undefined
    const text = (part: Part | undefined) =>
      part && Buffer.from(bytes.buffer, bytes.byteOffset + part.start, part.length).toString('latin1')
    const { project, run } = headers
    return this.#templates.group(
      JSON.stringify([userId, project, run, options.conflicts, options.maskSecrets, text(resource), text(scope)]),
    )
  }

  #withOthers(request: SpanRequest, rows: RowSpace, others: readonly OtherSpan[]): PreparedSpans | undefined {
    const bytes = Buffer.concat(runsOf(request.bytes, others).map((run) => requestOf(request.bytes, run.group, run.spans)))
    const { headers, options, userId } = request
    const prepared = this.#rules.prepare({ bytes, encoding: 'protobuf', headers, options, userId })
    if (prepared.status === 'refused' || prepared.ends.length !== others.length) return undefined
    rows.insert(prepared, others)
    return { ...prepared, rows: rows.bytes(), ends: rows.ends }
  }
}

/** Splits a prepared request into one row per span. Undefined if any of its `spans` was rejected or came with a message. */
function encodedRows(prepared: PreparedRequest, spans: number): Uint8Array[] | undefined {
  if (prepared.status === 'refused' || prepared.message !== '' || prepared.ends.length !== spans) return undefined
  const { rows, ends } = prepared
  return ends.map((end, index) => rows.subarray(ends[index - 1] ?? 0, end))
}

/** Memory for rows, which grows. */
class RowSpace {
  readonly ends: number[] = []
  at = 0
  readonly #expected: number
  #memory: Buffer | undefined

  constructor({ bytes, rowBuffer }: SpanRequest, spans: number) {
    this.#expected = bytes.byteLength + spans * rowOverhead
    if (rowBuffer !== undefined && rowBuffer.byteLength >= this.#expected) this.#memory = Buffer.from(rowBuffer)
  }

  withRoomFor(size: number): Buffer {
    const before = this.#memory ?? Buffer.allocUnsafeSlow(this.#expected)
    const needed = this.at + size
    this.#memory = needed <= before.length ? before : grown(before.subarray(0, this.at), Math.max(before.length * 2, needed))
    return this.#memory
  }

  /** Ends a row. */
  end(at: number): void {
    this.at = at
    this.ends.push(at)
  }

  /** Inserts rows before those of later spans. From the last to the first, so that each is moved once, within the same memory. */
  insert({ rows, ends }: Pick<PreparedSpans, 'rows' | 'ends'>, spans: readonly OtherSpan[]): void {
    const memory = this.withRoomFor(rows.byteLength)
    const plain = this.ends.splice(0)
    this.at += rows.byteLength
    let to = this.at
    let next = spans.length - 1
    for (let index = plain.length; index >= 0; index -= 1) {
      for (; spans[next]?.before === index; next -= 1) {
        const row = rows.subarray(ends[next - 1] ?? 0, ends[next])
        this.ends.push(to)
        memory.set(row, (to -= row.byteLength))
      }
      if (index === 0) break
      const start = plain[index - 2] ?? 0
      const end = plain[index - 1] as number
      this.ends.push(to)
      memory.copyWithin((to -= end - start), start, end)
    }
    this.ends.reverse()
  }

  bytes(): Buffer {
    return this.#memory?.subarray(0, this.at) ?? Buffer.alloc(0)
  }
}

function grown(content: Buffer, size: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(size)
  content.copy(memory)
  return memory
}

/** Spans of one group that follow one another. */
function runsOf(bytes: Uint8Array, others: readonly OtherSpan[]): { group: SpanGroup; spans: Uint8Array[] }[] {
  const runs: { group: SpanGroup; spans: Uint8Array[] }[] = []
  for (const { group, part } of others) {
    const span = bytes.subarray(part.start, part.start + part.length)
    const last = runs.at(-1)
    if (last?.group === group) last.spans.push(span)
    else runs.push({ group, spans: [span] })
  }
  return runs
}
