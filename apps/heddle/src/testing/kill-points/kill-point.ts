/** Where a process of a server is ended by force. */
export interface KillPoint {
  /** What is done there, by the names that `watched-files`, `watched-records`, `watched-answers` and `watched-engine` give. */
  operation: string
  /** `within`: a write has written half of its bytes. */
  moment: 'before' | 'within' | 'after'
  /** Who is killed: the server, and its engine with it, or the engine alone. */
  victim: 'server' | 'engine'
  /** When it happens: on the way up, while clients work, while tables are copied for a backup, or once the server was asked to stop. */
  stage: 'start' | 'work' | 'backup' | 'stop'
  /** Which operation of the name it is, counted from 1. */
  at: number
}

/** An operation with its moments, and how many of the name come in any life of a server; at work and of the server where nothing else is said. */
type Row = [operation: string, moments: KillPoint['moment'][], count: number, where?: Partial<Pick<KillPoint, 'stage' | 'victim'>>]

const around: KillPoint['moment'][] = ['before', 'after']
const anywhere: KillPoint['moment'][] = ['before', 'within', 'after']

const rows: Row[] = [
  ['create table', around, 4, { stage: 'start' }],
  ['note migration', around, 4, { stage: 'start' }],
  ['commit', around, 1, { stage: 'start' }],
  ['open rows', around, 3],
  ['write rows', anywhere, 8],
  ['write records', anywhere, 8],
  ['sync rows', around, 8],
  ['sync records', around, 8],
  ['sync journal folder', around, 3],
  ['cut rows', around, 3],
  ['close rows', around, 3],
  ['insert', around, 3],
  ['insert', around, 3, { victim: 'engine' }],
  ['remove rows', around, 3],
  ['rename to records', around, 3],
  ['remove records', around, 3],
  ['write staged blob', anywhere, 3],
  ['sync staged blob', around, 3],
  ['rename to blob', around, 3],
  ['sync blob folder', around, 3],
  ['commit', around, 8],
  ['answer', around, 8],
  ['backup', around, 1, { stage: 'backup' }],
  ['backup', around, 1, { stage: 'backup', victim: 'engine' }],
  ['remove rows', around, 1, { stage: 'stop' }],
  ['close engine', around, 1, { stage: 'stop' }],
  ['close engine', around, 1, { stage: 'stop', victim: 'engine' }],
]

/** Every point, once for each pass: a pass stops at a later operation of the same name, if any. */
export function killPoints(turns: number): KillPoint[] {
  return rows.flatMap(([operation, moments, count, where]) =>
    moments.flatMap((moment) =>
      Array.from({ length: turns }, (_, turn) => ({
        operation,
        moment,
        victim: 'server' as const,
        stage: 'work' as const,
        ...where,
        at: 1 + (turn % count),
      })),
    ),
  )
}
