export declare function nodeFlagsOf(program: string): string[]
