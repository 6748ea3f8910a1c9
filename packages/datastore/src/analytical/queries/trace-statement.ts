import type { StoreErrorKind } from '../../work/store-error.ts'

/** A statement of the engine, without its text and parameters. */
export interface BegunStatement {
  kind: 'read' | 'insert' | 'change'
  /** Table of an insert. */
  table?: string
}

/** The span of one statement. */
export interface StatementSpan {
  /** Called once, after the result was read or given up; without a kind it succeeded. */
  end(failure?: StoreErrorKind): void
}

/** Called when a statement begins, in the context of its caller. */
export type TraceStatement = (statement: BegunStatement) => StatementSpan
