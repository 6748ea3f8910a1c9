import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Verdict } from './judge-rule.ts'
import { toJunit } from './junit.ts'
import { toXmlText } from './junit.ts'

const aVerdict = (fields: Partial<Verdict>): Verdict => ({
  rule: 'exact>=0.8',
  outcome: 'passed',
  value: 0.85,
  interval: { low: 0.7, high: 0.9 },
  is_rate: true,
  is_change: false,
  coverage: 1,
  reason: null,
  ...fields,
})

test('a rule is a test case: failed ones are failures, undecided ones errors', () => {
  const verdicts = [
    aVerdict({}),
    aVerdict({ outcome: 'failed', value: 0.5 }),
    aVerdict({ rule: '--max-drop "a"=1', outcome: 'undecided', value: null, interval: null, reason: 'no <score>' }),
  ]
  expect(toJunit('evaluation r1', verdicts)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1">
  <testsuite name="evaluation r1" tests="3" failures="1" errors="1">
    <testcase classname="heddle eval gate" name="exact&#62;=0.8">
      <system-out>value 85 %; interval 70 % … 90 %</system-out>
    </testcase>
    <testcase classname="heddle eval gate" name="exact&#62;=0.8">
      <failure message="value 50 %; interval 70 % … 90 %"/>
    </testcase>
    <testcase classname="heddle eval gate" name="--max-drop &#34;a&#34;=1">
      <error message="no &#60;score&#62;"/>
    </testcase>
  </testsuite>
</testsuites>
`)
})

test.each([
  ['a null and an escape', 'a\u0000\u001bb', String.raw`a\u0000\u001bb`],
  ['half of a surrogate pair', '\ud800x', String.raw`\ud800x`],
  ['characters that are none', '\ufffe\uffff', String.raw`\ufffe\uffff`],
  ['breaks, which attributes would turn into spaces', 'a\t\r\nb', 'a&#9;&#13;&#10;b'],
  ['text of any script', 'größe 日本 👍🏽', 'größe 日本 👍🏽'],
])('%s is written so that XML holds it', (_case, text, expected) => {
  expect(toXmlText(text)).toBe(expected)
})

test('whatever the text is, only characters of XML are left, no markup, and reading it back gives the text', () => {
  const hostile = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('<', '&', '"', "'", ']]>', '\r', '\u0085', '\ud800')),
  })
  fc.assert(
    fc.property(hostile, (text) => {
      const written = toXmlText(text)
      expect(written).toMatch(/^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}])*$/u)
      expect(written.replaceAll(/&#\d+;/g, '')).not.toMatch(/[<>&"']/)
      const read = written.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      const isWhole = text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)
      if (isWhole) expect(read).toBe(text)
    }),
  )
})
