import * as react from 'react/jsx-runtime'
import { cleanProperties } from './clean-properties.ts'

// Target of the pages' JSX: React elements, without marks of writing direction in shown texts.
export { Fragment } from 'react/jsx-runtime'
export type { JSX } from './element-type.ts'

export const jsx: typeof react.jsx = (type, properties, key) =>
  react.jsx(type, cleanProperties(type, properties as Record<string, unknown>), key)

export const jsxs: typeof react.jsxs = (type, properties, key) =>
  react.jsxs(type, cleanProperties(type, properties as Record<string, unknown>), key)
