import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

const hash = (of: number, form: 'hex' | 'base64url') => createHash('sha256').update(String(of)).digest(form)
const rows = (make: (at: number) => object) => JSON.stringify(Array.from({ length: 40 }, (_, at) => make(at)))

test.each<[string, string]>([
  ['ids', rows((at) => ({ call_id: hash(at, 'hex').slice(0, 32), latency_ms: at * 17.3, status: 'success' }))],
  ['digests and scores', rows((at) => ({ row_digest: hash(at, 'base64url'), scores: { exact: { match: at % 2 === 0, length: at / 7 } } }))],
  ['prose', readFileSync(new URL('../../README.md', import.meta.url), 'utf8')],
  ['code', readFileSync(new URL('fit-answer.ts', import.meta.url), 'utf8')],
  ['Chinese', '这个评估的结果比昨天差了很多。'.repeat(30)],
  ['German', 'Die Auswertung der Fragen war gestern besser als heute. '.repeat(30)],
  ['Russian', 'Ответ модели был неверным. '.repeat(30)],
])('the estimate of %s is at most a tenth below what tokenizers count, and not far above', (_, text) => {
  const counts = [encodeO200k(text).length, encodeCl100k(text).length]
  const estimate = estimateTokens(text)
  expect(estimate).toBeGreaterThan(0.9 * Math.max(...counts))
  expect(estimate).toBeLessThan(3 * Math.max(...counts))
})
