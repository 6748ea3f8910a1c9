import type { TracedCase } from './traced-case.ts'

const conversation = { 'gen_ai.conversation.id': 'booking-3' }

export const factsOfOneSpan: readonly TracedCase[] = [
  {
    name: 'one span alone names the session, and another one failed',
    sent: {
      protocol: 'spans',
      traces: [
        {
          name: 'book a room',
          attributes: { 'gen_ai.operation.name': 'invoke_agent' },
          below: [
            {
              name: 'chat',
              attributes: {
                'gen_ai.operation.name': 'chat',
                'gen_ai.request.model': 'gpt-4o',
                'gen_ai.usage.input_tokens': 200,
                'gen_ai.usage.output_tokens': 20,
                'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"A room in Ulm, please."}]}]',
                ...conversation,
              },
            },
            {
              name: 'execute_tool book',
              attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'book' },
              failure: 'no room is free',
            },
          ],
        },
      ],
    },
    traces: [
      {
        root: 'book a room',
        status: 'descendant_error',
        thread: 'booking-3',
        used: { 'gpt-4o': { uses: 1, input: 200, output: 20 } },
        cost: 0.000_7,
        said: [{ role: 'user', text: 'A room in Ulm, please.' }],
        tools: [{ name: 'execute_tool book', tool: 'book' }],
      },
    ],
  },
]
