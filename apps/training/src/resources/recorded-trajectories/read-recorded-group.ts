import { type Choice, createHistories, type History, maxHistories } from '@heddle/core-api/histories'
import { formatTimestamp } from '@heddle/core-api'
import { type Blobs, StoreError } from '@heddle/datastore'
import type { CallContent } from './recorded-call.ts'
import type { RecordedCallRow, RecordedTrajectoriesStore, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

type Work = Parameters<RecordedTrajectoriesStore['find']>[0]

export interface GroupReaderDeps {
  store: Pick<RecordedTrajectoriesStore, 'listEnded' | 'listCalls'>
  blobs: Pick<Blobs, 'get'>
}

/** Reads a group as training jobs take it. Attempts that are open are left out, and those that failed are its exceptions. */
export function createGroupReader({ store, blobs }: GroupReaderDeps) {
  async function readContent({ sha256 }: RecordedCallRow, { signal }: Work): Promise<CallContent> {
    const content = await blobs.get(sha256, { signal })
    if (!content) throw new StoreError('unavailable', `the recorded call in the blob ${sha256} is missing`)
    const parts: Buffer[] = []
    for await (const part of content) parts.push(part as Buffer)
    return JSON.parse(Buffer.concat(parts).toString()) as CallContent
  }

  /** In the order in which they began, with all their messages. */
  async function readCalls(work: Work, row: RecordedTrajectoryRow): Promise<CallContent[]> {
    const messagesOf = new Map<number, CallContent['messages']>()
    const calls: { startedAt: number; content: CallContent }[] = []
    for (const call of await store.listCalls(work, row.model_id, row.id)) {
      const content = await readContent(call, work)
      const messages = [...(call.base_seq === null ? [] : messagesOf.get(call.base_seq)!), ...content.messages]
      messagesOf.set(call.seq, messages)
      if (!call.is_replaced) calls.push({ startedAt: call.started_at, content: { ...content, messages } })
    }
    return calls.toSorted((a, b) => a.startedAt - b.startedAt).map(({ content }) => content)
  }

  return async (work: Work, { model_id, group_id, rollout_id }: { model_id: string; group_id: string; rollout_id: string | null }) => {
    const rows = await store.listEnded(work, model_id, group_id, rollout_id)
    const trajectories: ReturnType<typeof toTrajectory>[] = []
    for (const row of rows.filter(({ status }) => status === 'finished')) trajectories.push(toTrajectory(row, await readCalls(work, row)))
    const failed = rows.filter(({ status }) => status === 'failed')
    return {
      trajectories,
      exceptions: failed.map(({ outcome }) => ({ type: 'Error', message: outcome!.error, traceback: null })),
      metadata: { group_id, ...rolloutOf(rows[0]) },
      metrics: {},
      logs: [],
    }
  }
}

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
    initial_policy_version: calls[0]?.step ?? null,
    final_policy_version: calls.at(-1)?.step ?? null,
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
