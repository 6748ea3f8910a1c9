import type { ComponentProps, ReactNode } from 'react'

/** The text and what is behind it break their lines alike. */
const look = 'col-start-1 row-start-1 px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere'

interface Properties extends Omit<ComponentProps<'textarea'>, 'className'> {
  /** The same text, of which only the marks are seen. */
  marked: ReactNode
}

/** A text over marks of its parts, as high as its lines up to a height that can be changed. */
export function MarkedTextarea({ marked, ...rest }: Properties) {
  return (
    <div className="field grid max-h-70 min-h-20 resize-y overflow-auto">
      <div aria-hidden className={`${look} text-transparent select-none`}>
        {marked}
        {/* A last line that is empty has its height, too. */}
        {'\n'}
      </div>
      <textarea {...rest} className={`${look} z-1 resize-none overflow-hidden bg-transparent`} />
    </div>
  )
}
