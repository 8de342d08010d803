/** The rows of one answer as the server sent them; they are read when it is known in which form they are wanted. */

import type { Rows, UnreadRows } from '../../../read/executor.ts';
import type { NodeReader } from '../../../read/reader.ts';
import { type ParseText, rowValues } from './data-row.ts';
import type { JsonProgram } from './json-program.ts';

type Writer = typeof import('./json-writer.ts');

/** Writes rows as JSON; loaded when they are wanted so for the first time, since many hosts never want it. */
let writer: Writer | undefined;
let loading: Promise<void> | undefined;

/** Loads the writer. Rows are read as long as it is not there. */
export function loadWriter(): Promise<void> {
  loading ??= import('./json-writer.ts').then(
    (loaded) => {
      writer = loaded;
    },
    () => undefined,
  );
  return loading;
}

/** The columns of a prepared statement on one connection. */
export class StatementColumns {
  readonly parsers: readonly ParseText[];
  /** The node for which rows were written last, and how. */
  #node: NodeReader | undefined;
  #program: JsonProgram | undefined;

  constructor(parsers: readonly ParseText[]) {
    this.parsers = parsers;
  }

  /** How rows of a node are written as JSON; `undefined` if they have to be read. */
  programFor(node: NodeReader, { jsonProgram }: Writer): JsonProgram | undefined {
    if (this.#node !== node) {
      this.#program = jsonProgram(node, this.parsers);
      this.#node = node;
    }
    return this.#program;
  }
}

/** Rows as parts of the buffers in which they arrived. */
export class WireRows implements UnreadRows {
  readonly #columns: StatementColumns;
  readonly #chunks: Buffer[] = [];
  /** Where the contents of the rows begin and end in their chunks. */
  readonly #bounds: number[] = [];

  constructor(columns: StatementColumns) {
    this.#columns = columns;
  }

  get length(): number {
    return this.#chunks.length;
  }

  get width(): number {
    return this.#columns.parsers.length;
  }

  /** Adds the row whose message has its content between `begin` and `end`. */
  add(bytes: Buffer, begin: number, end: number): void {
    this.#chunks.push(bytes);
    this.#bounds.push(begin, end);
  }

  rows(): unknown[][] {
    return this.#chunks.map((_, index) => this.#row(index));
  }

  row(index: number): readonly unknown[] | undefined {
    return index < this.#chunks.length ? this.#row(index) : undefined;
  }

  json(node: NodeReader, count: number): string | undefined {
    if (!writer) {
      void loadWriter();
      return undefined;
    }
    const program = this.#columns.programFor(node, writer);
    return program && writer.rowsJson(program, this.#chunks, this.#bounds, count);
  }

  #row(index: number): unknown[] {
    const bytes = this.#chunks[index] as Buffer;
    const [begin, end] = [this.#bounds[2 * index] as number, this.#bounds[2 * index + 1] as number];
    return rowValues(bytes, begin, end, this.#columns.parsers);
  }
}

/** The results of a round trip. Instrumentation reads `rows` and `rowCount`, as of a result of the driver. */
export class TripResult {
  readonly results: readonly (WireRows | Rows)[];

  constructor(results: readonly (WireRows | Rows)[]) {
    this.results = results;
  }

  get rows(): Rows {
    const [first = []] = this.results;
    return first instanceof WireRows ? first.rows() : first;
  }

  get rowCount(): number {
    return this.results[0]?.length ?? 0;
  }
}
