import { callsTable, rowReader, type CallRow, type Micros } from '@heddle/datastore'
import { digestLength } from '../../payload/digest.ts'

const reader = rowReader(callsTable)

/** A version of a call, ready to be stored. */
export type WrittenCall = CallRow | EncodedCall

/** A whole call as the row in which it is stored, made where nothing was known of the store: what the store decides is put in afterwards. */
export class EncodedCall implements Pick<CallRow, 'project_id' | 'id' | 'ended_at' | 'has_start' | 'is_deleted'> {
  readonly project_id: string
  readonly id: string
  readonly ended_at: CallRow['ended_at']
  readonly has_start = 1
  readonly is_deleted = 0
  /** The row in RowBinary, by the columns of the table. */
  readonly bytes: Buffer

  constructor({ project_id, id, ended_at }: Pick<CallRow, 'project_id' | 'id' | 'ended_at'>, bytes: Buffer) {
    this.project_id = project_id
    this.id = id
    this.ended_at = ended_at
    this.bytes = bytes
  }

  /** Puts in the digest of the op's version, for which the op's reference has room at its end. */
  setOpDigest(digest: string): void {
    if (digest.length !== digestLength) throw new Error(`an op of project ${this.project_id} has the digest "${digest}"`)
    this.bytes.write(digest, reader.find(this.bytes, 0, 'op_name').end - digestLength, 'latin1')
  }

  setVersion(version: bigint): void {
    this.bytes.writeBigUInt64LE(version, reader.find(this.bytes, 0, 'version').start)
  }

  setExpiry(expireAt: Micros): void {
    this.bytes.writeBigInt64LE(BigInt(expireAt), reader.find(this.bytes, 0, 'expire_at').start)
  }

  get started_at(): Micros {
    return Number(this.bytes.readBigInt64LE(reader.find(this.bytes, 0, 'started_at').start))
  }

  toRow(): CallRow {
    return reader.read(this.bytes, 0)
  }
}
