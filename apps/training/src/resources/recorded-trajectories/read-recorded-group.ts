import { formatTimestamp } from '@heddle/core-api'
import { type Choice, createHistories, type History, maxHistories, policyVersions } from '@heddle/core-api/histories'
import { stringifyJson } from '@heddle/json'
import { inSlices } from '../../body-threads/in-slices.ts'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { readLines } from '../../json-text/read-lines.ts'
import { createPacer } from '../../training/pacer.ts'
import type { CallContent } from './recorded-call.ts'
import type { CallLine, GroupLine } from './recorded-group-content.ts'
import type { RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

/** A trajectory with its calls so far. */
interface Attempt {
  row: RecordedTrajectoryRow
  messagesOf: Map<number, CallContent['messages']>
  calls: { startedAt: number; content: CallContent }[]
}

/** The JSON of a group in the form of training jobs, in slices, from `recordedGroupContent`. Failed attempts are its exceptions. */
export function readRecordedGroup(
  content: AsyncIterable<Uint8Array>,
  { group_id }: { group_id: string },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  return inSlices(writeGroup(content, group_id, signal))
}

async function* writeGroup(content: AsyncIterable<Uint8Array>, group_id: string, signal: AbortSignal): AsyncGenerator<string> {
  const pace = createPacer(signal)
  const failed: RecordedTrajectoryRow[] = []
  let first: RecordedTrajectoryRow | undefined
  let isFirst = true
  yield '{"trajectories":['
  for await (const row of readAttempts(content)) {
    await pace()
    first ??= 'row' in row ? row.row : row
    if (!('row' in row)) {
      failed.push(row)
      continue
    }
    yield `${isFirst ? '' : ','}${stringifyJson(toTrajectory(row.row, inOrder(row)))}`
    isFirst = false
  }
  const rest = {
    exceptions: failed.map(({ outcome }) => ({ type: 'Error', message: outcome!.error, traceback: null })),
    metadata: { group_id, ...rolloutOf(first) },
    metrics: {},
    logs: [],
  }
  yield `],${stringifyJson(rest).slice(1)}`
}

/** Each finished attempt once all its calls are read, and rows of failed ones. */
async function* readAttempts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Attempt | RecordedTrajectoryRow> {
  let attempt: Attempt | undefined
  let call: CallLine | undefined
  for await (const text of readLines(content)) {
    if (call) {
      addCall(attempt!, call, parseExactly(text) as CallContent)
      call = undefined
      continue
    }
    const line = parseExactly(text) as GroupLine
    if ('call' in line) {
      call = line.call
      continue
    }
    if (attempt) yield attempt
    attempt = undefined
    if (line.trajectory.status === 'finished') attempt = { row: line.trajectory, messagesOf: new Map(), calls: [] }
    else yield line.trajectory
  }
  if (attempt) yield attempt
}

/** A call has the messages of its base before its own. */
function addCall({ messagesOf, calls }: Attempt, call: CallLine, content: CallContent): void {
  const messages = [...(call.base_seq === null ? [] : messagesOf.get(call.base_seq)!), ...content.messages]
  messagesOf.set(call.seq, messages)
  if (!call.is_replaced) calls.push({ startedAt: call.started_at, content: { ...content, messages } })
}

/** In the order in which they began. */
const inOrder = ({ calls }: Attempt) => calls.toSorted((a, b) => a.startedAt - b.startedAt).map(({ content }) => content)

const rolloutOf = (row: RecordedTrajectoryRow | undefined) => (row?.rollout_id == null ? {} : { rollout_id: row.rollout_id })

function toTrajectory(row: RecordedTrajectoryRow, calls: readonly CallContent[]) {
  const outcome = row.outcome!
  const histories = historiesOf(calls)
  const [main, ...additional] = histories.slice(0, maxHistories + 1)
  const leftOut = histories.length - 1 - additional.length
  const incomplete = calls.filter(({ is_complete }) => !is_complete).length
  return {
    messages_and_choices: main?.messages_and_choices ?? [],
    tools: main?.tools ?? null,
    additional_histories: additional,
    reward: outcome.reward ?? 0,
    ...policyVersions(calls.map(({ step }) => step)),
    metrics: { ...outcome.metrics, ...(incomplete > 0 && { incomplete_responses: incomplete }) },
    metadata: {
      ...outcome.metadata,
      trajectory_id: row.id,
      group_id: row.group_id,
      ...rolloutOf(row),
      ...(row.trace_id !== null && { trace_id: row.trace_id }),
    },
    logs: [
      ...outcome.logs,
      ...(leftOut > 0 ? [`${leftOut} histories were left out: a trajectory has at most ${maxHistories} beside its first`] : []),
    ],
    start_time: formatTimestamp(row.created_at),
  }
}

function historiesOf(calls: readonly CallContent[]): History[] {
  const histories = createHistories()
  for (const { messages, tools, choices, is_complete, span_id } of calls) {
    const sampled: Choice[] = choices.map((choice) => ({ ...choice, ...(span_id !== null && { span_id }) }))
    histories.add({ messages, tools, choices: sampled, trainable: is_complete })
  }
  return histories.list()
}
