import { Link } from '@tanstack/react-router'
import { serverUrl } from '../../app/base-path.ts'
import { useProject } from '../../app/use-project.ts'
import { Snippet } from '../snippet.tsx'
import { assistantCommands, assistantSettings } from './connection-texts.ts'

/** How an assistant gets the tools of this server. */
export function ConnectAssistant() {
  const { id, ...project } = useProject()
  return (
    <>
      <p>
        An assistant uses Heddle through the Model Context Protocol, with a key of its own: create one with the role reader in the{' '}
        <Link to="/$entity/$project/settings" params={{ entity: project.entity, project: project.project }} hash="keys">
          settings
        </Link>
        , and put it into <code>HEDDLE_API_KEY</code> where the assistant starts.
      </p>
      <p>An assistant that takes addresses needs this in its settings:</p>
      <Snippet label="the settings of the assistant" text={assistantSettings(serverUrl())} />
      <p>
        For one that starts programs, <code>init</code> shows what it would change, and changes it with <code>--write</code>. Without a name
        it lists the assistants that it knows.
      </p>
      <Snippet label="the commands for the assistant" text={assistantCommands({ url: serverUrl(), project: id })} />
    </>
  )
}
