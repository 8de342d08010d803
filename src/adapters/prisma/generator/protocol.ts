/**
 * The protocol between Prisma and a generator: one JSON-RPC request per line of standard input, one response per line
 * of standard error.
 */

import { createInterface } from 'node:readline';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** The methods of a generator; the message of a thrown error is shown to the user. */
interface GeneratorMethods {
  readonly [method: string]: (params: unknown) => unknown;
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'id' in value && 'method' in value;
}

/** Answers requests until Prisma closes the input. */
export async function answerRequests(
  methods: GeneratorMethods,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const request: unknown = line.trim() === '' ? undefined : JSON.parse(line);
    if (!isRequest(request)) continue;
    output.write(`${JSON.stringify(await answer(methods, request))}\n`);
  }
}

async function answer(methods: GeneratorMethods, { id, method, params }: Request): Promise<object> {
  try {
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!handler) throw new Error(`The generator does not have this method.`);
    return { jsonrpc: '2.0', id, result: (await handler(params)) ?? null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { jsonrpc: '2.0', id, error: { code: 0, message, data: { stack: message } } };
  }
}
