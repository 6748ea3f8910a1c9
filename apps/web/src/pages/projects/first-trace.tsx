import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'

/** How to send the first trace of a project. */
export function FirstTrace() {
  const project = useProject()
  return (
    <>
      <p role="status">Waiting for the first trace. This page shows it when it arrives.</p>
      <p>
        Any program with an OpenTelemetry SDK sends its traces with these variables. An API key takes the place of KEY:{' '}
        <Link to="/$entity/$project/settings" params={project}>
          make one in the settings
        </Link>
        .
      </p>
      <LongText label="Variables for a program" text={variablesFor(project.id)} />
      <p>A program of Node without telemetry needs one flag:</p>
      <LongText label="Commands for a program of Node" text={commandsFor(project.id)} />
    </>
  )
}

function commandsFor(project: string): string {
  return [
    'npm install @heddle/otel-exporter @opentelemetry/api @opentelemetry/sdk-trace-node',
    `export HEDDLE_BASE_URL=${window.location.origin} HEDDLE_API_KEY=KEY HEDDLE_PROJECT=${project}`,
    'node --import @heddle/otel-exporter/register app.js',
  ].join('\n')
}

function variablesFor(project: string): string {
  return [
    'export OTEL_TRACES_EXPORTER=otlp',
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${window.location.origin}/otel/v1/traces`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="wandb-api-key=KEY,project_id=${project}"`,
  ].join('\n')
}
