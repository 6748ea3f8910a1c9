import { Link } from '@tanstack/react-router'
import { serverUrl } from '../../lib/server/base-path.ts'
import { useProject } from '../../lib/use-project.ts'
import { CodeBlock } from '../../ui/code.tsx'
import { assistantCommands, assistantSettings } from './connection-texts.ts'

/** How an assistant gets the tools of this server. */
export function ConnectAssistant() {
  const { id, ...project } = useProject()
  return (
    <>
      <p>
        Assistants use Heddle through the Model Context Protocol. Create a key with the role reader under{' '}
        <Link to="/$entity/$project/settings" params={{ entity: project.entity, project: project.project }} search={{ part: 'keys' }}>
          API keys
        </Link>{' '}
        and set it as <code>HEDDLE_API_KEY</code> for the assistant.
      </p>
      <p>For assistants that connect to a URL:</p>
      <CodeBlock className="my-1" label="the settings of the assistant" code={assistantSettings(serverUrl())} />
      <p>
        For assistants that start programs: <code>init</code> shows the change, <code>--write</code> makes it. Without a name it lists the
        assistants it knows.
      </p>
      <CodeBlock
        className="my-1"
        look="commands"
        label="the commands for the assistant"
        code={assistantCommands({ url: serverUrl(), project: id })}
      />
    </>
  )
}
