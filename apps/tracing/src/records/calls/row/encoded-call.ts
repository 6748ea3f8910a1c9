import { callsTable, rowReader, type CallRow, type Micros, type OpenRow } from '@heddle/datastore'
import { digestLength } from '../../../payload/digest.ts'

const reader = rowReader(callsTable)

/** A version of a call, ready to be stored. */
export type WrittenCall = CallRow | EncodedCall

/** A whole call as the row in which it is stored, made where nothing was known of the store: what the store decides is put in afterwards. */
export class EncodedCall implements Pick<CallRow, 'project_id' | 'id' | 'ended_at' | 'has_start' | 'is_deleted'> {
  readonly project_id: string
  readonly id: string
  readonly has_start = 1
  readonly is_deleted = 0
  /** The row in RowBinary, by the columns of the table. */
  readonly bytes: Buffer
  readonly #row: OpenRow<typeof callsTable>

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#row = reader.open(bytes, 0)
    this.project_id = this.#row.value('project_id')
    this.id = this.#row.value('id')
  }

  get trace_id(): string {
    return this.#row.value('trace_id')
  }

  get op_short_name(): string {
    return this.#row.value('op_short_name')
  }

  get started_at(): Micros {
    return this.#row.value('started_at')
  }

  get ended_at(): Micros | null {
    return this.#row.value('ended_at')
  }

  get idx_gaps(): string {
    return this.#row.value('idx_gaps')
  }

  /** Inserts the digest of the op's version, for which the op's reference has room at its end. */
  setOpDigest(digest: string): void {
    if (digest.length !== digestLength) throw new Error(`an op of project ${this.project_id} has the digest "${digest}"`)
    this.#row.setEndOfText('op_name', digest)
  }

  setVersion(version: bigint): void {
    this.#row.setValue('version', version)
  }

  setExpiry(expireAt: Micros): void {
    this.#row.setValue('expire_at', expireAt)
  }

  toRow(): CallRow {
    return this.#row.toRow()
  }
}
