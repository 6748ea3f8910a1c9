import { LongText } from '../../../components/long-text.tsx'
import { readableName } from '../../../components/readable-name.ts'
import { toText } from '../../../components/to-text.ts'
import type { GivenTool } from './read-tools.ts'

/** The tools that a model was given, folded, with those named that it calls. */
export function ShowTools({ tools }: { tools: readonly GivenTool[] }) {
  if (tools.length === 0) return null
  const called = tools.filter(({ calls }) => calls > 0).map(({ name, calls }) => (calls === 1 ? name : `${name} ${calls} times`))
  return (
    <details>
      <summary>
        {`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, ${called.length === 0 ? 'none called' : `called: ${called.join(', ')}`}`}
      </summary>
      {tools.map(({ name, description, parameters, calls }) => (
        <section key={name} aria-label={`Tool ${readableName(name)}`}>
          <h3>
            {name} {calls > 0 && <span className="tag">called</span>}
          </h3>
          {description !== '' && <p>{description}</p>}
          {parameters !== undefined && <LongText label={`Parameters of ${name}`} text={toText(parameters)} />}
        </section>
      ))}
    </details>
  )
}
