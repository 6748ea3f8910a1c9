import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createStatementGuard, RefusedStatement } from './statement.ts'

const guard = createStatementGuard([
  'file',
  'url',
  's3',
  'remote',
  'mysql',
  'executable',
  'input',
  'numbers',
  'merge',
  'view',
  'cluster',
  'sqlite',
])

describe('allowed statements', () => {
  test.each([
    ['SELECT 1', 'read'],
    ["SELECT 'it''s; -- \\' INTO OUTFILE file(1) SETTINGS' AS a", 'read'],
    ['WITH x AS (SELECT id FROM calls) SELECT count() FROM x WHERE id IN (SELECT id FROM calls)', 'read'],
    ['SELECT a.b, -1.5e3, x -> x + 1, y::String, `quoted`, "also", z[1], t.1, a ? b : c, d || e FROM numbers(3)', 'read'],
    ['SELECT getSubcolumn(idx, {p0:String}) FROM calls WHERE id IN {p1:Array(Tuple(String, String))};', 'read'],
    ['CREATE TABLE IF NOT EXISTS t (a String) ENGINE = ReplacingMergeTree(a) ORDER BY a SETTINGS index_granularity=512', 'change'],
    ['CREATE DATABASE IF NOT EXISTS heddle', 'change'],
    ['ALTER TABLE calls DELETE WHERE project_id = {p0:String}', 'change'],
    ['DELETE FROM calls WHERE id = {p0:String}', 'change'],
    ['OPTIMIZE TABLE calls FINAL', 'change'],
    ['INSERT INTO calls SELECT * FROM calls_old', 'change'],
    ["BACKUP TABLE calls TO File('3f-1/calls') SETTINGS deduplicate_files=0, backup_threads=2, max_backup_bandwidth=1000", 'change'],
    ["RESTORE TABLE calls FROM File('3f-1/calls') SETTINGS structure_only=1", 'change'],
    ["RESTORE TABLE calls FROM File('3f-1/calls')\nFORMAT TabSeparated", 'change'],
    ['SYSTEM STOP MERGES table_rows', 'change'],
    ["CHECK TABLE calls PART '202602_1_1_0'", 'read'],
  ])('%s', (text, kind) => {
    expect(guard.check(text)).toMatchObject({ kind })
  })

  test('the format and the semicolon are stripped', () => {
    expect(guard.check('SELECT 1\nFORMAT JSONEachRow')).toMatchObject({ text: 'SELECT 1', format: 'JSONEachRow' })
    expect(guard.check('SELECT 1 ;')).toMatchObject({ text: 'SELECT 1', format: 'TabSeparated' })
  })

  test('parameters are found in the text and not in its literals', () => {
    expect([...guard.check("SELECT {p0:String}, '{p1:String}', {p22:Array(UInt64)}").params]).toEqual(['p0', 'p22'])
  })
})

describe('refused statements', () => {
  test.each([
    ["SELECT * FROM file('/etc/passwd')", 'function file'],
    ["SELECT * FROM FILE ('/etc/passwd')", 'function FILE'],
    ["SELECT * FROM `file`('/etc/passwd')", 'function `file`'],
    ['SELECT * FROM "file"(\'/etc/passwd\')', 'function "file"'],
    ["SELECT file('/etc/passwd')", 'function file'],
    ["SELECT 1 WHERE 1 IN url('http://a', CSV)", 'function url'],
    ["SELECT * FROM calls, s3('http://a')", 'function s3'],
    ["SELECT * FROM remote('a', b.c)", 'function remote'],
    ["SELECT * FROM mysql('a', 'b', 'c', 'd', 'e')", 'function mysql'],
    ["SELECT * FROM executable('sh', CSV, 'a String')", 'function executable'],
    ["INSERT INTO calls SELECT * FROM input('a String')", 'function input'],
    ["SELECT * FROM sqlite('a.db', 't')", 'function sqlite'],
    ["SELECT aiGenerate('prompt')", 'function aiGenerate'],
    ["SELECT dictGetString('d', 'a', 1)", 'function dictGetString'],
    ["INSERT INTO FUNCTION file('a') SELECT 1", 'FUNCTION'],
    ["SELECT 1 INTO OUTFILE '/tmp/a'", 'OUTFILE'],
    ["INSERT INTO calls FROM INFILE '/tmp/a'", 'INFILE'],
    ['SELECT 1 SETTINGS readonly=0', 'SETTINGS'],
    ['SELECT * FROM (SELECT 1 SETTINGS readonly=0)', 'SETTINGS'],
    ['SELECT 1; SELECT 2', 'more than one statement'],
    ['SELECT 1;;', 'more than one statement'],
    ['SELECT 1 -- comment', 'unexpected "-- co'],
    ['SELECT /* comment */ 1', 'unexpected "/* com'],
    ['SELECT 1 # comment', 'unexpected "# comment"'],
    ['SELECT $a$text$a$', 'unexpected "$a$text$a$"'],
    ['SELECT \u2018text\u2019', 'unexpected'],
    ["SELECT 'open", 'unexpected'],
    ["SELECT {'a': 1}", 'unexpected'],
    ['SELECT {P0:String}', 'unexpected'],
    ['SELECT 1 \0', 'unexpected'],
    ['SET max_memory_usage = 0', 'is not an allowed statement'],
    ['SYSTEM STOP MERGES', 'does not have an allowed form'],
    ['SYSTEM STOP MERGES calls; SYSTEM SHUTDOWN', 'does not have an allowed form'],
    ['SYSTEM SHUTDOWN', 'is not an allowed statement'],
    ["BACKUP DATABASE heddle TO File('a/calls') SETTINGS deduplicate_files=0", 'is not an allowed statement'],
    ["BACKUP TABLE calls TO File('../a/calls') SETTINGS deduplicate_files=0", 'does not have an allowed form'],
    ["BACKUP TABLE calls TO File('/etc/a') SETTINGS deduplicate_files=0", 'does not have an allowed form'],
    ["BACKUP TABLE calls TO File('a/calls') SETTINGS deduplicate_files=0", 'does not have an allowed form'],
    [
      "BACKUP TABLE calls TO File('a/calls') SETTINGS deduplicate_files=0, backup_threads=2, max_backup_bandwidth=1, async=1",
      'does not have an allowed form',
    ],
    ["BACKUP TABLE calls TO S3('http://a/b')", 'does not have an allowed form'],
    ["BACKUP TABLE calls TO File('a/calls') SETTINGS base_backup=S3('http://a')", 'does not have an allowed form'],
    ["RESTORE TABLE calls FROM Disk('a', 'b')", 'does not have an allowed form'],
    ["RESTORE TABLE calls FROM File('a/calls') SETTINGS allow_non_empty_tables=1", 'does not have an allowed form'],
    ['CREATE FUNCTION f AS x -> x', 'is not an allowed statement'],
    ['CREATE USER u', 'is not an allowed statement'],
    ['CREATE OR REPLACE TABLE t (a String)', 'is not an allowed statement'],
    ["CREATE TABLE t (a String) ENGINE = File(CSV, '/tmp/a')", 'engine "File"'],
    ["CREATE TABLE t (a String) ENGINE URL('http://a')", 'engine "URL"'],
    ["CREATE TABLE t AS file('/etc/passwd')", 'function file'],
    ['CREATE TABLE t ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a', 'cannot contain SELECT'],
    ["ATTACH TABLE t FROM '/tmp'", 'is not an allowed statement'],
    ['', 'is not an allowed statement'],
    [' ; ', 'is not an allowed statement'],
  ])('%j', (text, message) => {
    expect(() => guard.check(text)).toThrow(RefusedStatement)
    expect(() => guard.check(text)).toThrow(message)
  })

  test('a table function is found in any context', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t ')
    const before = fc.constantFrom(
      'SELECT * FROM ',
      'SELECT 1 UNION ALL SELECT * FROM ',
      "SELECT '\\'' FROM ",
      'SELECT a FROM b JOIN ',
      'WITH x AS (SELECT 1) SELECT * FROM ',
    )
    const name = fc.constantFrom('file', 'FILE', 'File', '`file`', '"file"', 'url', 's3')
    fc.assert(
      fc.property(before, name, space, fc.constantFrom("('a')", '()', '(1, 2) WHERE 1'), (start, called, gap, rest) => {
        expect(() => guard.check(`${start}${called}${gap}${rest}`)).toThrow('is not allowed')
      }),
    )
  })
})
