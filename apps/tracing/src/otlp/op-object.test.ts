import { canonicalJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { placeholderOp, placeholderOpDigest, placeholderSourceDigest } from './op-object.ts'

test('the digests of ops without source never change: stored refs hold them', () => {
  expect(canonicalJson(placeholderOp)).toBe(
    `{"_type": "CustomWeaveType", "files": {"obj.py": "${placeholderSourceDigest}"}, "weave_type": {"type": "Op"}}`,
  )
  expect([placeholderSourceDigest, placeholderOpDigest]).toMatchInlineSnapshot(`
    [
      "9wXXWFXaTHXfj21uycWs5TYnsEOouBg5JFSX3pWP75k",
      "ShrZYPqZnRCRBOQjoSctdBT1wFNSewkNk3AIPcKvb1g",
    ]
  `)
})
