import type { Component as ReactComponent, ExoticComponent, JSX as ReactJsx, ReactElement } from 'react'

/** What React draws, without texts, also within lists. */
type RenderedNode = ReactElement | number | bigint | boolean | null | undefined | readonly RenderedNode[]

/**
 * A component of the pages. It returns no text: React draws that as it is, while the texts of elements pass through `cleanProperties`, which leaves
 * marks of writing direction out: `return <>{text}</>`.
 */
export type Component<P = object> = (properties: P) => RenderedNode

// oxlint-disable-next-line typescript/no-explicit-any -- what properties a component takes is checked where it is used
type Any = any

/** The types of the pages' JSX: those of React, without components that return a text. What a library wraps, such as a context, is not looked into. */
export declare namespace JSX {
  type ElementType = keyof IntrinsicElements | Component<Any> | ExoticComponent<Any> | (new (properties: Any) => ReactComponent<Any, Any>)
  type Element = ReactJsx.Element
  type ElementClass = ReactJsx.ElementClass
  type ElementAttributesProperty = ReactJsx.ElementAttributesProperty
  type ElementChildrenAttribute = ReactJsx.ElementChildrenAttribute
  type LibraryManagedAttributes<C, P> = ReactJsx.LibraryManagedAttributes<C, P>
  type IntrinsicAttributes = ReactJsx.IntrinsicAttributes
  type IntrinsicClassAttributes<T> = ReactJsx.IntrinsicClassAttributes<T>
  type IntrinsicElements = ReactJsx.IntrinsicElements
}
