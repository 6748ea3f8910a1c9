import { Wrench } from 'lucide-react'
import { countText } from '../../../lib/texts/count-text.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { JsonView } from '../../../ui/json-view.tsx'
import type { ToolDefinition } from './read-tools.ts'

/** The tools that a model was given, folded, with those named that it calls. */
export function ShowTools({ tools }: { tools: readonly ToolDefinition[] }) {
  if (tools.length === 0) return null
  const called = tools.filter(({ calls }) => calls > 0).map(({ name, calls }) => (calls === 1 ? name : `${name} ${calls} times`))
  return (
    <Fold
      icon={Wrench}
      title={
        <span className="text-fg-2">
          {`${countText(tools.length, 'tool')}, ${called.length === 0 ? 'none called' : `called: ${called.join(', ')}`}`}
        </span>
      }
    >
      <div className="flex flex-col gap-4 py-1">
        {tools.map(({ name, description, parameters, calls }) => (
          <section key={name} aria-label={`Tool ${readableName(name)}`}>
            <h3 className="mono flex items-center gap-2 font-medium">
              {name} {calls > 0 && <Badge>called</Badge>}
            </h3>
            {description !== '' && <p className="mt-0.5 text-fg-2 wrap-anywhere">{description}</p>}
            {parameters !== undefined && (
              <div className="mt-1">
                <JsonView isBare label={`Parameters of ${name}`} value={parameters} />
              </div>
            )}
          </section>
        ))}
      </div>
    </Fold>
  )
}
