import { expect, test } from 'vitest'
import { bind, join, maxStatementSize, render, sql, type Sql } from './sql.ts'
import { toStoreError } from './store-failure.ts'

const parts = (count: number) => Array.from({ length: count }, (_, index) => sql`a${bind('Int64', index)}`)

test('fragments are joined in order, with their parameters', () => {
  expect(render(join(parts(3), sql` OR ${bind('String', 'or')} `))).toEqual({
    text: 'a{p0:Int64} OR {p1:String} a{p2:Int64} OR {p3:String} a{p4:Int64}',
    params: { p0: 0, p1: 'or', p2: 1, p3: 'or', p4: 2 },
  })
  expect(render(join([], sql`, `))).toEqual({ text: '', params: {} })
})

test('a statement of the maximum size is built, and a larger one is refused while it is built', () => {
  const piece = (size: number): Sql =>
    join(
      Array.from({ length: size / 5 }, () => sql`abcde`),
      sql``,
    )
  expect(piece(maxStatementSize).size).toBe(maxStatementSize)
  expect(() => piece(maxStatementSize + 5)).toThrow(expect.objectContaining({ name: 'StoreError', kind: 'complex' }))
  const nested = (levels: number): Sql => {
    const inner = levels === 0 ? sql`x` : nested(levels - 1)
    return sql`(${inner} OR ${inner})`
  }
  expect(() => nested(100)).toThrow(expect.objectContaining({ kind: 'complex' }))
})

test.each([
  'Code: 167. DB::Exception: AST is too deep. Maximum: 1000. (TOO_DEEP_AST)',
  'Code: 168. DB::Exception: AST is too big. Maximum: 50000. (TOO_BIG_AST)',
  'Code: 306. DB::Exception: Maximum parse depth (1000) exceeded. (TOO_DEEP_RECURSION)',
  'Code: 718. DB::Exception: Maximum amount of backtracking (1000000) exceeded in the parser. (TOO_SLOW_PARSING)',
  'Code: 62. DB::Exception: Syntax error: Max query size exceeded (can be increased with the `max_query_size` setting). (SYNTAX_ERROR)',
])('%s is permanent: a retry would fail the same way', (message) => {
  expect(toStoreError(new Error(message)).kind).toBe('complex')
})

test('any other syntax error is a store failure', () => {
  expect(toStoreError(new Error('Code: 62. DB::Exception: Syntax error: failed at position 1 (SYNTAX_ERROR)')).kind).toBe('failed')
})
