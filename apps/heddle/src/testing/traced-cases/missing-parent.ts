import type { TracedCase } from './traced-case.ts'

const conversation = { 'gen_ai.conversation.id': 'support-7' }

export const missingParent: readonly TracedCase[] = [
  {
    name: 'a gateway keeps the parent of all other spans away',
    sent: {
      protocol: 'spans',
      parentOfRoots: 'not sent',
      traces: [
        {
          name: 'support agent',
          attributes: { 'gen_ai.operation.name': 'invoke_agent', ...conversation },
          below: [
            {
              name: 'chat',
              attributes: {
                'gen_ai.operation.name': 'chat',
                'gen_ai.request.model': 'gpt-4o',
                'gen_ai.usage.input_tokens': 100,
                'gen_ai.usage.output_tokens': 10,
                ...conversation,
              },
            },
          ],
        },
      ],
    },
    traces: [
      {
        root: 'support agent',
        status: 'success',
        isParentMissing: true,
        thread: 'support-7',
        used: { 'gpt-4o': { uses: 1, input: 100, output: 10 } },
        cost: 0.000_35,
      },
    ],
  },
]
