import { cx } from '../lib/cx.ts'

const names: Record<string, string> = {
  mod: typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  space: 'Space',
  esc: 'Esc',
}
/** Readable keys: "mod+enter" is two caps. Decoration: the control itself carries aria-keyshortcuts. */
export function KeyHint({ keys, inverse, className }: { keys: string; inverse?: boolean; className?: string }) {
  return (
    <span aria-hidden className={cx('inline-flex items-center gap-0.5', className)}>
      {keys.split('+').map((key) => (
        <kbd
          key={key}
          className={cx(
            'inline-flex h-4 min-w-4 items-center justify-center rounded-sm px-1 font-sans text-2xs',
            inverse ? 'border border-current/30' : 'border border-line-2 bg-sunken text-fg-3',
          )}
        >
          {names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  )
}
