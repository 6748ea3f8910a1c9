// The tool of the programs as an MCP server on standard input and output.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { getWeather, weatherDescription } from './weather.mjs'

const server = new McpServer({ name: 'trip', version: '1.0.0' })
const tool = { description: weatherDescription, inputSchema: { city: z.string() } }
server.registerTool('get_weather', tool, (input) => ({ content: [{ type: 'text', text: getWeather(input) }] }))
await server.connect(new StdioServerTransport())
