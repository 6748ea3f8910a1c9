import { type ReactNode, useId } from 'react'

interface Properties {
  title: string
  /** Its purpose, in one sentence. */
  text?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of the settings: what it is for, above its cards. */
export function SettingsSection({ title, text, actions, children }: Properties) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex items-start gap-4">
        <div className="min-w-0 grow">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {text !== undefined && <div className="text-fg-2">{text}</div>}
        </div>
        {actions !== undefined && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
