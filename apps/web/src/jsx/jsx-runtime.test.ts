import { createContext, forwardRef, type ReactNode } from 'react'
import * as developed from 'react/jsx-dev-runtime'
import { renderToStaticMarkup } from 'react-dom/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsxDEV } from './jsx-dev-runtime.ts'
import { Fragment, jsx, jsxs } from './jsx-runtime.ts'

const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']
const turned = `a${marks.join('')}b`

describe('a mark of writing direction is left out of', () => {
  test.each([
    'title',
    'alt',
    'placeholder',
    'label',
    'aria-label',
    'aria-description',
    'aria-valuetext',
    'aria-roledescription',
    'data-tip',
  ])('the attribute %s', (name) => expect(renderToStaticMarkup(jsx('img', { [name]: turned }))).toBe(`<img ${name}="ab"/>`))

  test.each<[string, ReactNode]>([
    ['the text of an element', jsx('b', { children: turned })],
    ['a text among others', jsxs('p', { children: [turned, ' calls ', jsx('b', { children: turned })] })],
    ['texts in lists of lists', jsxs('p', { children: ['x', [turned, [turned]]] })],
    ['a fragment', jsxs(Fragment, { children: [turned, turned] })],
    ['the title of a shape', jsx('svg', { children: jsx('title', { children: turned }) })],
    ['what a function draws', jsx(({ text }: { text: string }) => jsx('i', { children: text }), { text: turned })],
    ['what a component of a library draws', jsx(forwardRef(drawn), { title: turned, children: turned })],
    ['what a context is given around', jsx(createContext('').Provider, { value: '', children: turned })],
    ['an element of the development build', jsxDEV('b', { title: turned, children: turned }, undefined, false)],
  ])('%s', (_place, element) => {
    const markup = renderToStaticMarkup(element)
    expect(markup).toContain('ab')
    for (const mark of marks) expect(markup).not.toContain(mark)
  })
})

/** Represents one that was compiled with the runtime of React. */
const drawn = ({ title, children }: { title?: string; children?: ReactNode }) =>
  developed.jsxDEV('a', { title, children }, undefined, false)

test('values stay as they were sent in blocks and fields of their own', () => {
  expect(renderToStaticMarkup(jsx('pre', { children: turned }))).toBe(`<pre>${turned}</pre>`)
  expect(renderToStaticMarkup(jsx('textarea', { defaultValue: turned }))).toBe(`<textarea>${turned}</textarea>`)
  expect(renderToStaticMarkup(jsx('input', { defaultValue: turned }))).toBe(`<input value="${turned}"/>`)
})

test('an option keeps the value that it is chosen by', () => {
  expect(renderToStaticMarkup(jsx('option', { children: turned }))).toBe(`<option value="${turned}">ab</option>`)
  expect(renderToStaticMarkup(jsx('option', { value: 'x', children: turned }))).toBe('<option value="x">ab</option>')
})

test('a function gets the data that it was given', () => {
  const given: unknown[] = []
  const Field = (properties: unknown) => {
    given.push(properties)
    return null
  }
  renderToStaticMarkup(jsx(Field, { title: turned, children: turned }))
  expect(given).toEqual([{ title: turned, children: turned }])
})

test('elements without such a mark are those of React, with the very lists that they were given', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !marks.some((mark) => one.includes(mark)))
  fc.assert(
    fc.property(text, text, (title, child) => {
      const children = [child, [child], 1, null, true]
      const element = jsxs('p', { title, children }, 'key')
      expect(element.key).toBe('key')
      expect(element.props).toEqual({ title, children })
      expect(Reflect.get(element.props as object, 'children')).toBe(children)
    }),
  )
})
