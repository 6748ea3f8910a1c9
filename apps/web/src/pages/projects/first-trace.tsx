import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { serverUrl } from '../../app/base-path.ts'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { exampleProgram, installCommand, nodeCommands, openTelemetryVariables, placeholder } from './first-trace-texts.ts'

const daysOfKey = 90

/** How to send the first trace of a project. */
export function FirstTrace() {
  const project = useProject()
  const add = useMutation({
    // The secret is gone with this page.
    gcTime: 0,
    mutationFn: () =>
      client.projectKeys.create({ project_id: project.id, name: 'first trace', role: 'ingest', expires_in_days: daysOfKey }),
  })
  const destination = { url: serverUrl(), project: project.id, key: add.data?.secret ?? placeholder }
  return (
    <>
      <p role="status">Waiting for the first trace. This page shows it when it arrives.</p>
      <h2>1. An API key</h2>
      {add.data ? (
        <p role="status">
          The commands below now have a key that may only send to this project, for {daysOfKey} days. It is not shown again: copy what you
          need.
        </p>
      ) : (
        <p className="row">
          <button type="button" className="primary" disabled={add.isPending} onClick={() => add.mutate()}>
            Create a key for these commands
          </button>
          <span>
            or put one in the place of {placeholder}; keys are in{' '}
            <Link to="/$entity/$project/settings" params={project}>
              the settings
            </Link>
            .
          </span>
        </p>
      )}
      <Failure error={add.error} before="No key was created." />
      <h2>2. A program of Node</h2>
      <p>In the folder of the program:</p>
      <Snippet label="the command that installs" text={installCommand} />
      <p>
        Then start it with one flag. <code>HEDDLE_SPANS=all</code> sends every span; without it only those about models and the ones above
        them are sent.
      </p>
      <Snippet label="the commands" text={nodeCommands(destination)} />
      <details>
        <summary>A program to try it with, as app.mjs</summary>
        <Snippet label="the program" text={exampleProgram} />
      </details>
      <h2>Or any program with an OpenTelemetry SDK</h2>
      <p>It needs no change, only these variables:</p>
      <Snippet label="the variables" text={openTelemetryVariables(destination)} />
    </>
  )
}
