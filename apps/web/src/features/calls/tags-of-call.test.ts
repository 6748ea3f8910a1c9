import { expect, test } from 'vitest'
import { tagsOfCall } from './tags-of-call.ts'

const inSpan = (attributes: object) => ({ otel_span: { attributes } })

test.each([
  [{ tags: ['prod', 'beta'] }, 'attributes.tags', '"prod"', ['prod', 'beta']],
  [{ metadata: { tags: ['prod'] } }, 'attributes.metadata.tags', '"prod"', ['prod']],
  [{ heddle: { tags: ['prod'] } }, 'attributes.heddle.tags', '"prod"', ['prod']],
  [{ 'heddle.tags': ['prod'] }, 'attributes.heddle\\.tags', '"prod"', ['prod']],
  [inSpan({ heddle: { tags: ['prod'] } }), 'attributes.otel_span.attributes.heddle.tags', '"prod"', ['prod']],
  [inSpan({ tag: { tags: ['prod'] } }), 'attributes.otel_span.attributes.tag.tags', '"prod"', ['prod']],
  [inSpan({ langfuse: { trace: { tags: ['prod'] } } }), 'attributes.otel_span.attributes.langfuse.trace.tags', '"prod"', ['prod']],
  [
    inSpan({ langsmith: { span: { tags: 'prod, beta' } } }),
    'attributes.otel_span.attributes.langsmith.span.tags',
    'prod',
    ['prod', 'beta'],
  ],
  [{ tags: ['say "hi"'] }, 'attributes.tags', '"say \\"hi\\""', ['say "hi"']],
])('the tags of %j are selected at %s by %s', (attributes, path, value, tags) => {
  const found = tagsOfCall({ attributes })
  expect(found.map(({ tag }) => tag)).toEqual(tags)
  expect(found[0]?.condition).toEqual({ path, operator: 'contains', value })
})

test('a tag that was cut, as lists read long texts, is none', () => {
  expect(tagsOfCall({ attributes: { tags: 'prod, beta, gam…' } }).map(({ tag }) => tag)).toEqual(['prod', 'beta'])
})

test('a tag counts once, and only short texts are tags', () => {
  const attributes = { tags: ['a', 'a', '', 3, null, 'x'.repeat(300)], metadata: { tags: ['a', 'b'] }, heddle: { tags: { no: 'list' } } }
  expect(tagsOfCall({ attributes }).map(({ tag }) => tag)).toEqual(['a', 'b'])
  expect(tagsOfCall({ attributes: { tags: Array.from({ length: 90 }, (_, at) => `t${at}`) } })).toHaveLength(50)
  expect(tagsOfCall({ attributes: {} })).toEqual([])
})
