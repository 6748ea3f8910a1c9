import * as react from 'react/jsx-dev-runtime'
import { cleanProperties } from './clean-properties.ts'

// The same as `jsx-runtime.ts` where pages are developed: React adds where in the source an element is from.
export { Fragment } from 'react/jsx-dev-runtime'
export type { JSX } from './element-type.ts'

export const jsxDEV: typeof react.jsxDEV = (type, properties, ...rest) =>
  react.jsxDEV(type, cleanProperties(type, properties as Record<string, unknown>), ...rest)
