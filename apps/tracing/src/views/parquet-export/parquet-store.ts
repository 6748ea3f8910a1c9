import type { ProjectScope } from '@heddle/identity'
import type { ParquetTable } from '../../query/parquet-tables.ts'

/** A day of a table, with a hash over the versions of its rows. */
export interface TableDay {
  /** `2026-11-29`, in UTC. */
  day: string
  rows: number
  /** About the bytes of its rows. */
  bytes: number
  hash: string
}

/** One of the files of a day: its rows are divided by the hash of their ids. */
export interface DayPart {
  day: string
  part: number
  parts: number
}

/** What is exported of a project, read from the store. */
export interface ParquetStore {
  /** The days that have rows, in their order. */
  days(project: ProjectScope, table: ParquetTable): Promise<TableDay[]>
  /** The rows of a part as a Parquet file. */
  read(project: ProjectScope, table: ParquetTable, part: DayPart): AsyncIterable<Uint8Array>
}
