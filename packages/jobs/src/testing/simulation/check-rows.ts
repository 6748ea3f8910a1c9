import type { Database, Tables } from '@heddle/datastore'

interface Row {
  number: number
  id: string
  project_id: string
  state: string
  serial_key: string | null
  idempotency_key: string | null
  attempt: number
  max_attempts: number
  lease_owner: string | null
  result: string | null
  started_at: number | null
  ended_at: number | null
}

const columns = [
  'number',
  'id',
  'project_id',
  'state',
  'serial_key',
  'idempotency_key',
  'attempt',
  'max_attempts',
  'lease_owner',
  'result',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof Tables['jobs'] & keyof Row)[]

const isFinal = ({ state }: Row) => state === 'succeeded' || state === 'failed' || state === 'cancelled'

const readRows = (database: Database, queue: string): Promise<Row[]> =>
  database.selectFrom('jobs').select(columns).where('queue', '=', queue).orderBy('number').execute()

/** What is wrong with the rows of a queue. `ends` gets how each job ended, and must never change. */
export async function checkRows(database: Database, queue: string, ends: Map<string, string>): Promise<string[]> {
  const rows = await readRows(database, queue)
  const counts = await database.selectFrom('job_queues').selectAll().where('queue', '=', queue).execute()
  return [
    ...rows.flatMap((row) => checkRow(row, ends)),
    ...[...groups(rows, (row) => row.serial_key && `${row.project_id} ${row.serial_key}`).values()].flatMap(checkSerialKey),
    ...counts.flatMap((count) =>
      checkCounts(
        count,
        rows.filter((row) => row.project_id === count.project_id),
      ),
    ),
  ]
}

function checkRow(row: Row, ends: Map<string, string>): string[] {
  const wrong: string[] = []
  const { id, attempt, max_attempts, result, ended_at, state } = row
  if (attempt < 0 || attempt > max_attempts) wrong.push(`job ${id} has attempt ${attempt} of ${max_attempts}`)
  if ((state === 'running') !== (row.lease_owner !== null)) wrong.push(`job ${id} is ${state}, with the owner ${row.lease_owner}`)
  if (isFinal(row) !== (ended_at !== null)) wrong.push(`job ${id} is ${state}, and ended at ${ended_at}`)
  if ((state === 'succeeded') !== (result !== null)) wrong.push(`job ${id} is ${state}, with the result ${result}`)
  const end = `${state} ${result} ${ended_at}`
  const before = ends.get(id)
  if (before !== undefined && before !== end) wrong.push(`job ${id} had ended as ${before}, and is ${end}`)
  if (isFinal(row)) ends.set(id, end)
  return wrong
}

/** The first unfinished job of a serial key is queued or runs, and those behind it are held. */
function checkSerialKey(rows: Row[]): string[] {
  const [first, ...behind] = rows.filter((row) => !isFinal(row))
  const key = first?.serial_key
  return [
    ...(first?.state === 'blocked' ? [`the first job ${first.id} of serial key ${key} is blocked`] : []),
    ...behind
      .filter(({ state }) => state !== 'blocked')
      .map(({ id, state }) => `job ${id} is ${state}, behind another of serial key ${key}`),
  ]
}

function checkCounts(count: Tables['job_queues'], rows: Row[]): string[] {
  const actual = {
    waiting: rows.filter(({ state }) => state === 'queued' || state === 'blocked').length,
    running: rows.filter(({ state }) => state === 'running').length,
    finished: rows.filter(isFinal).length,
  }
  const names = ['waiting', 'running', 'finished'] as const
  return names
    .filter((name) => count[name] !== actual[name])
    .map((name) => `${count.project_id} counts ${count[name]} ${name} jobs, and has ${actual[name]}`)
}

export interface Expected {
  /** Idempotency keys of all jobs that were sent. */
  sent: readonly string[]
  /** Job ids by key. */
  acknowledged: ReadonlyMap<string, string>
  /** By number of the job. */
  starts: ReadonlyMap<number, number>
}

/** What is wrong with the rows when everything has had the time to end. */
export async function finalRows(database: Database, queue: string, { sent, acknowledged, starts }: Expected): Promise<string[]> {
  const rows = await readRows(database, queue)
  const byKey = new Map(rows.map((row) => [row.idempotency_key, row]))
  return [
    ...sent.filter((key) => byKey.get(key)?.id !== acknowledged.get(key)).map((key) => `job ${key} was acknowledged and is lost`),
    ...(rows.length === sent.length ? [] : [`${sent.length} jobs were sent, and ${rows.length} are there`]),
    ...rows.filter((row) => !isFinal(row)).map(({ id, state }) => `job ${id} is still ${state}`),
    ...rows
      .filter(({ number, max_attempts }) => (starts.get(number) ?? 0) > max_attempts)
      .map(({ number, id, max_attempts }) => `job ${id} was started ${starts.get(number)} times, of ${max_attempts}`),
  ]
}

function groups<T>(values: readonly T[], keyOf: (value: T) => string | null): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    if (key !== null && key !== '') found.set(key, [...(found.get(key) ?? []), value])
  }
  return found
}
