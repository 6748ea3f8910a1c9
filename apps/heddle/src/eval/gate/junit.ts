import { verdictLine } from './format-verdicts.ts'
import type { Outcome, Verdict } from './judge-rule.ts'

/** A report in the JUnit form that CI systems read: a test case a rule; a failed rule is a failure, an undecided one an error. */
export function toJunit(suite: string, verdicts: readonly Verdict[]): string {
  const count = (outcome: Outcome) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const counts = `tests="${verdicts.length}" failures="${count('failed')}" errors="${count('undecided')}"`
  const name = `name="${toXmlText(suite)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${name} ${counts}>`,
    ...verdicts.map(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toCase(verdict: Verdict): string {
  const open = `    <testcase classname="heddle eval gate" name="${toXmlText(verdict.rule)}"`
  const line = toXmlText(verdictLine(verdict))
  if (verdict.outcome === 'passed') return `${open}>\n      <system-out>${line}</system-out>\n    </testcase>`
  const element = verdict.outcome === 'failed' ? 'failure' : 'error'
  return `${open}>\n      <${element} message="${line}"/>\n    </testcase>`
}

/** Characters that XML 1.0 has no way to write, escaped or not: controls, halves of surrogate pairs, and two that are none. */
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Surrogate}\ufffe\uffff]/gu
const special = /[&<>"'\t\n\r\u007f-\u009f\u2028]/g

/** Text as the content of an element or of an attribute in quotes. What XML cannot hold is written as in JSON, such as `\u001b`. */
export function toXmlText(text: string): string {
  return text
    .replace(unwritable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(special, (character) => `&#${character.charCodeAt(0)};`)
}
