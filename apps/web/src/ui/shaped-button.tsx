import type { ComponentProps } from 'react'

/** A button that looks like its content: a block of a chart, a chip, a line of a list. All others are a Button. */
export const ShapedButton = (properties: ComponentProps<'button'>) => <button type="button" {...properties} />
