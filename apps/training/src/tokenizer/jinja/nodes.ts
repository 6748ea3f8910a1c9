import type { Value } from '../python/values.ts'

/** Expressions of a template. */
export type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'name'; name: string }
  | { kind: 'list' | 'tuple'; items: readonly Expression[] }
  | { kind: 'dict'; entries: readonly (readonly [Expression, Expression])[] }
  | { kind: 'attribute'; object: Expression; name: string }
  | { kind: 'item'; object: Expression; key: Expression }
  | { kind: 'slice'; start: Expression | null; stop: Expression | null; step: Expression | null }
  | { kind: 'call'; callee: Expression; given: ArgumentExpressions }
  | { kind: 'filter'; operand: Expression; name: string; given: ArgumentExpressions }
  | { kind: 'test'; operand: Expression; name: string; given: ArgumentExpressions }
  | { kind: 'unary'; operator: 'not' | '-' | '+'; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'compare'; first: Expression; others: readonly (readonly [CompareOperator, Expression])[] }
  | { kind: 'concat'; parts: readonly Expression[] }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'condition'; test: Expression; met: Expression; otherwise: Expression | null }

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**'
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

/** Arguments of a call. */
export interface ArgumentExpressions {
  placed: readonly Expression[]
  named: readonly (readonly [string, Expression])[]
  /** Of `*list`; null without. */
  list: Expression | null
  /** Of `**mapping`; null without. */
  mapping: Expression | null
}

/** The target of an assignment. */
export type Target =
  | { kind: 'name'; name: string }
  | { kind: 'member'; name: string; attribute: string }
  | { kind: 'tuple'; targets: readonly Target[] }

/** A macro, or the block of a `call`. */
export interface MacroBody {
  name: string
  parameters: readonly { name: string; defaultValue: Expression | null }[]
  body: readonly Statement[]
  /** Names that it uses; `caller`, `varargs` and `kwargs` among them show what else it accepts. */
  uses: ReadonlySet<string>
}

export interface FilterStep {
  name: string
  given: ArgumentExpressions
}

export type Statement =
  | { kind: 'text'; text: string }
  | { kind: 'output'; value: Expression }
  | { kind: 'if'; branches: readonly { test: Expression; body: readonly Statement[] }[]; otherwise: readonly Statement[] }
  | ForStatement
  | { kind: 'set'; target: Target; value: Expression }
  | { kind: 'setBlock'; target: Target; filters: readonly FilterStep[]; body: readonly Statement[] }
  | { kind: 'with'; assigned: readonly (readonly [Target, Expression])[]; body: readonly Statement[] }
  | { kind: 'macro'; macro: MacroBody }
  | { kind: 'callBlock'; callee: Expression; given: ArgumentExpressions; macro: MacroBody }
  | { kind: 'filterBlock'; filters: readonly FilterStep[]; body: readonly Statement[] }
  | { kind: 'scope'; body: readonly Statement[] }
  | { kind: 'break' | 'continue' }

export interface ForStatement {
  kind: 'for'
  target: Target
  iterable: Expression
  /** Elements that fail it are skipped; null without. */
  test: Expression | null
  isRecursive: boolean
  body: readonly Statement[]
  otherwise: readonly Statement[]
}
