/** A route as a command of curl, with what has to be filled in left in braces. */

import type { Board } from '../api/boards.ts';
import { resolve } from './document.ts';
import type { OpenApiDocument, Operation, Schema } from './document.ts';

/** Objects within objects that an example shows. */
const mostDepth = 4;

/** A value that fits a schema: its required members. */
function exampleOf(document: OpenApiDocument, given: Schema, depth = 0): unknown {
  const schema = resolve(document, given);
  const { type, properties, required = [], anyOf, oneOf, enum: members } = schema;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (members) return members[0];
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return exampleOf(document, first, depth);
  if (properties && depth < mostDepth) {
    return Object.fromEntries(
      required.map((name) => [name, exampleOf(document, properties[name] ?? {}, depth + 1)]),
    );
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [exampleOf(document, schema.items, depth + 1)] : [];
    default:
      return {};
  }
}

/** A text in quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curlOf(board: Board, document: OpenApiDocument, operation: Operation): string {
  const { method, path, parameters, body } = operation;
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name }) => `${encodeURIComponent(name)}={${name}}`)
    .join('&');
  const address = `${location.origin}${board.basePath}${path}${query && `?${query}`}`;
  const parts = [
    // Braces stand for what has to be filled in.
    `curl${/\{/.test(address) ? ' --globoff' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(address)}`,
    ...(body
      ? [
          `-H 'content-type: application/json'`,
          `-d ${quoted(JSON.stringify(exampleOf(document, body)))}`,
        ]
      : []),
  ];
  return parts.join(' \\\n  ');
}
