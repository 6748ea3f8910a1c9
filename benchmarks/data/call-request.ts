import { textOf, type Content } from './nested-text.ts'
import type { TextSource } from './payload-text.ts'
import { offsetsOf, stampOf, toHex, type IdSlot, type StampedBody } from './stamped-body.ts'

/** What a request says of its calls: both halves in one, only the start, only the end, or the whole call as one record. */
export type CallRequestKind = 'upsert' | 'start' | 'end' | 'complete'

export interface CallRequestOptions {
  kind: CallRequestKind
  /** `entity/project`. */
  project: string
  calls: number
  /** About how many bytes of text a call carries in all. */
  textBytes: number
  /** Default: plain. */
  content?: Content | undefined
  source: TextSource
}

const callsOfTrace = 8
const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet', 'llama-70b'] as const
const ops = ['predict', 'score', 'retrieve', 'rerank', 'chat', 'embed', 'plan', 'tool'] as const

/** A request of `/call/upsert_batch` or `calls/complete`, as clients write it: JSON with a UUID for each call and trace. */
export function callRequest(options: CallRequestOptions): StampedBody {
  const calls = Array.from({ length: options.calls }, () => draft(options))
  calls.forEach((call, index) => {
    const root = calls[index - (index % callsOfTrace)] ?? call
    call.traceId = root.traceId
    call.parentId = root === call ? null : root.id
  })
  const bytes = Buffer.from(JSON.stringify({ batch: calls.flatMap((call) => itemsOf(call, options)) }))
  const callSlots = calls.map((call) => idSlot(bytes, call.id))
  const idSlots = [...callSlots, ...[...new Set(calls.map((call) => call.traceId))].map((id) => idSlot(bytes, id))]
  const timeSlots = offsetsOf(bytes, Buffer.from(templateSeconds)).map((offset) => ({
    offset,
    seconds: Number(bytes.toString('latin1', offset + 18, offset + 19)),
  }))
  return {
    bytes,
    calls: options.calls,
    stamp(sequence, startMs) {
      for (const slot of idSlots) {
        const stamp = toHex(stampOf(slot, sequence))
        for (const offset of slot.offsets) bytes.write(stamp, offset, 'latin1')
      }
      for (const { offset, seconds } of timeSlots) bytes.write(secondsText(startMs + seconds * 1000), offset, 'latin1')
    },
    idsOf: (sequence) => callSlots.map((slot) => slot.prefix + toHex(stampOf(slot, sequence))),
  }
}

interface Draft {
  id: string
  traceId: string
  parentId: string | null
  op: string
  model: string
  /** Seconds, below 10. */
  latency: number
  fraction: string
  inputs: object
  output: object
  tokens: { prompt: number; completion: number }
}

function draft({ textBytes, content, source }: CallRequestOptions): Draft {
  const { random } = source
  const model = random.pick(models)
  return {
    id: newId(source),
    traceId: newId(source),
    parentId: null,
    op: random.pick(ops),
    model,
    latency: 1 + random.below(9),
    fraction: String(random.below(1_000_000)).padStart(6, '0'),
    inputs: {
      model,
      temperature: random.below(10) / 10,
      user: { id: `u${random.below(20_000)}`, tier: random.next() < 0.1 ? 'pro' : 'free' },
      messages: [
        { role: 'system', content: 'You are a helpful assistant.' },
        { role: 'user', content: textOf(content, source, textBytes / 2) },
      ],
    },
    output: {
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: textOf(content, source, textBytes / 2) } }],
      score: random.below(1_000_000) / 1_000_000,
      ok: random.next() < 0.8,
    },
    tokens: { prompt: 50 + random.below(3_000), completion: random.below(900) },
  }
}

/** All times of the template begin like this; the digit that follows says how many seconds later they are. */
const templateSeconds = '2000-01-01T00:00:0'

function itemsOf(call: Draft, { kind, project }: CallRequestOptions): object[] {
  const ids = { project_id: project, id: call.id, trace_id: call.traceId }
  const start = {
    ...ids,
    op_name: call.op,
    parent_id: call.parentId,
    started_at: `${templateSeconds}0.${call.fraction}Z`,
    attributes: { env: 'prod', version: '1.7', 'os.name': 'linux', tags: ['a', 'b'] },
    inputs: call.inputs,
  }
  const { prompt, completion } = call.tokens
  const usage = { [call.model]: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, requests: 1 } }
  const end = { ...ids, ended_at: `${templateSeconds}${call.latency}.${call.fraction}Z`, output: call.output, summary: { usage } }
  if (kind === 'complete') return [{ ...start, ...end }]
  const halves = [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ]
  return kind === 'upsert' ? halves : halves.filter((half) => half.mode === kind)
}

function newId({ random }: TextSource): string {
  const digits = random.bytes(16).toString('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

function idSlot(body: Buffer, id: string): IdSlot {
  const fixed = id.length - 8
  return {
    prefix: id.slice(0, fixed),
    salt: Number(`0x${id.slice(fixed)}`),
    offsets: offsetsOf(body, Buffer.from(id)).map((offset) => offset + fixed),
  }
}

/** `2026-11-21T14:47:18`. */
function secondsText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}
