import { createContext, lazy, type ReactNode } from 'react'
import type { JSX } from './jsx-runtime.ts'

const element = null as unknown as JSX.Element
const lazyPart = lazy(async () => ({ default: () => element }))
const context = createContext('')

export const components = [() => element, () => null, ({ count }: { count: number }) => count, lazyPart, context, 'b'] as const
components satisfies readonly JSX.ElementType[]

// @ts-expect-error a text
export const text = (({ value }: { value: string }) => value) satisfies JSX.ElementType
// @ts-expect-error a text in some cases
export const sometimes = (({ value }: { value: string }) => (value === '' ? element : `${value}!`)) satisfies JSX.ElementType
// @ts-expect-error a text in a list
export const list = (({ value }: { value: string }) => [element, value]) satisfies JSX.ElementType
// @ts-expect-error what may be a text
export const any = (({ children }: { children: ReactNode }) => children) satisfies JSX.ElementType
