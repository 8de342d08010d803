/** Reads a stream of Server-Sent Events as a client without a browser. */

/** An event as it arrived. */
export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly event: string;
  // Tests read data of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** An open stream. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has arrived. */
  readonly events: ReceivedEvent[];
  /** Comments that have arrived. */
  comments: number;
  /** Bytes that have arrived, decoded. */
  bytes: number;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

function parse(block: string): ReceivedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart());
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id'), event: fields.get('event') ?? '', data: JSON.parse(data) };
}

/** Opens a stream. */
export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  const events: ReceivedEvent[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        stream.bytes += chunk.byteLength;
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const event = parse(block);
          if (event) events.push(event);
          else if (block.startsWith(':')) stream.comments += 1;
        }
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  };
  const stream: EventStream = {
    status: response.status,
    headers: response.headers,
    events,
    comments: 0,
    bytes: 0,
    ended: Promise.resolve(),
    close: () => controller.abort(),
  };
  return Object.assign(stream, { ended: response.ok ? read() : Promise.resolve() });
}
