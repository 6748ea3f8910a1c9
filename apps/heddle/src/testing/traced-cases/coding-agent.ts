import type { TracedCase } from './traced-case.ts'

const session = { 'session.id': 'coding-session' }
const model = 'claude-opus-4-8'

/** Spans of Claude Code with its own flat attributes, whose input is without cached tokens. */
export const codingAgent: readonly TracedCase[] = [
  {
    name: 'a coding agent has flat counts, a prompt and the name of a tool',
    sent: {
      protocol: 'spans',
      traces: [
        {
          name: 'claude_code.interaction',
          attributes: { ...session, 'span.type': 'interaction', user_prompt: 'Read the hosts file' },
          below: [
            {
              name: 'claude_code.llm_request',
              attributes: {
                ...session,
                'span.type': 'llm_request',
                'gen_ai.system': 'anthropic',
                'gen_ai.request.model': model,
                model,
                input_tokens: 3,
                output_tokens: 120,
                cache_read_tokens: 15_000,
                cache_creation_tokens: 2_100,
              },
            },
            { name: 'claude_code.tool', attributes: { ...session, 'span.type': 'tool', tool_name: 'Read' } },
          ],
        },
      ],
    },
    traces: [
      {
        root: 'claude_code.interaction',
        status: 'success',
        thread: 'coding-session',
        used: { [model]: { uses: 1, input: 17_103, output: 120, cached: 15_000, written: 2_100 } },
        // $5 for a million tokens of input, 0.50 read from a cache, 6.25 written to it, 25 of output.
        cost: 0.023_64,
        said: [{ role: 'user', text: 'Read the hosts file' }],
        tools: [{ name: 'claude_code.tool', tool: 'Read' }],
      },
    ],
  },
]
