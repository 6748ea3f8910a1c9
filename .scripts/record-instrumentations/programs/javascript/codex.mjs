// Codex with its own exporter, by the settings of its page; a session of one question.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tripQuestion } from './weather.mjs'

const { CLIENT_PAGES, HOME, OPENAI_BASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const [, ofPage] = /^```toml\n(.*?)^```/ms.exec(readFileSync(join(CLIENT_PAGES, 'codex.md'), 'utf8'))
const settings = `
model = "gpt-5-mini"
model_provider = "stand-in"
web_search = "disabled"

[agents]
enabled = false

[model_providers.stand-in]
name = "Stand-in"
base_url = "${OPENAI_BASE_URL}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.trip]
command = "${process.execPath}"
required = true
args = ["${here('weather-mcp.mjs')}"]

${ofPage.replace('http://127.0.0.1:7400/otel', OTEL_EXPORTER_OTLP_ENDPOINT)}`
mkdirSync(join(HOME, '.codex'))
writeFileSync(join(HOME, '.codex/config.toml'), settings)
const options = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
const codex = spawn(here('../node_modules/.bin/codex'), [...options, tripQuestion], { stdio: ['ignore', 'inherit', 'inherit'] })
const [code] = await once(codex, 'exit')
if (code !== 0) throw new Error(`codex ended with code ${code}`)
