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
  /** False if there is no room, or the disk refuses; the frame is then not kept, nor is it if it is no longer wanted once written. */
  append(frame: SpoolFrame, isWanted?: () => boolean): Promise<boolean>
  /** The same before it returns, for the last moments of a process. */
  appendNow(frame: SpoolFrame): boolean
  /** The oldest frame, which is kept until `removeFirst`. Undefined if none is left. */
  findFirst(): Promise<WaitingFrame | undefined>
  removeFirst(): Promise<void>
  /** Replaces the oldest frame, which is kept if this returns false. */
  replaceFirst(frames: readonly SpoolFrame[]): Promise<boolean>
  /** Spans in frames left by ended processes; called once, before everything else. */
  recover(): Promise<number>
}
