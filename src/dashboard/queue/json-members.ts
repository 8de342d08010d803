/** The members of an object in JSON text, changed one by one: everything else keeps its digits. */

import { layOut } from '../kit/json-text.ts';

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The members of the object by name, as texts; undefined for a text that is not one object. */
export function membersOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let raw = '';
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (depth === 1 && token === ':' && raw === '') continue;
    if ((depth === 1 && token === ',') || depth === 0) {
      if (name !== undefined) members.set(name, raw);
      name = undefined;
      raw = '';
    } else if (name === undefined) name = JSON.parse(token) as string;
    else raw += token;
    if (token === '{' || token === '[') depth += 1;
  }
  return members;
}

/** The text with a member set, or left out where `raw` is undefined. */
export function withMember(text: string, name: string, raw: string | undefined): string {
  const members = new Map(membersOf(text));
  if (raw === undefined) members.delete(name);
  else members.set(name, raw);
  const parts = Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`);
  return layOut(`{${parts.join(',')}}`);
}
