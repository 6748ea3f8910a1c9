import type { ComponentProps } from 'react'
import { cx } from '../lib/cx.ts'

interface Properties extends ComponentProps<'button'> {
  /** `plain`: in the colour of the text around it, for names in lists; `quiet`: without its line until the pointer is on it. Default: like a link in a text. */
  look?: 'link' | 'quiet' | 'plain'
}

const looks = {
  link: 'text-accent-text underline decoration-accent-line underline-offset-2 hover:decoration-current',
  quiet: 'text-accent-text hover:underline',
  plain: 'text-fg hover:underline',
}

/** An action within a text or a cell that looks like a link. */
export function TextButton({ className, look = 'link', ...rest }: Properties) {
  return (
    <button
      type="button"
      {...rest}
      className={cx('min-h-6 max-w-full min-w-6 truncate rounded-xs text-left active:text-fg', looks[look], className)}
    />
  )
}
