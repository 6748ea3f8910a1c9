import type { Bytes } from '../encoding/concat-bytes.ts'

/** A request that waits on disk. */
export interface SpoolFrame {
  body: Bytes
  spans: number
}

/** A frame as it was found; its body is undefined when it can no longer be read. */
export interface WaitingFrame extends Omit<SpoolFrame, 'body'> {
  body: Bytes | undefined
}

/** Keeps requests while the server is unavailable. Never rejects: a disk error is part of the result. */
export interface Spool {
  /** False when there is no room, or the disk refuses; nothing is kept then, nor where the frame is no longer wanted once it is written. */
  append(frame: SpoolFrame, isWanted?: () => boolean): Promise<boolean>
  /** The same before it returns, for the last moments of a process. */
  appendNow(frame: SpoolFrame): boolean
  /** The oldest frame, which stays until `removeFirst`. Undefined when none is left. */
  findFirst(): Promise<WaitingFrame | undefined>
  removeFirst(): Promise<void>
  /** Puts others in the place of the oldest frame, which stays when this answers false. */
  replaceFirst(frames: readonly SpoolFrame[]): Promise<boolean>
  /** Spans in frames that processes now gone have left; called once, before all others. */
  recover(): Promise<number>
}
