/** Members of an object in a JSON text: read and set by path, while every other part stays as it is written. */

import { jsonTokens, layOut } from '../format/json.ts';

/** A step of a path to a member. */
export interface Step {
  readonly name: string;
  /** Whether the object has to have the member; an emptied object stays only then. */
  readonly isRequired: boolean;
}

export type Path = readonly Step[];

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
  for (const [token] of text.matchAll(jsonTokens)) {
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

/** The text at the path: undefined where there is none, `null` where the path cannot lead. */
export function memberAt(text: string, path: Path): string | undefined | null {
  let at: string | undefined = text;
  for (const { name } of path) {
    if (at === undefined) return undefined;
    const members = membersOf(at);
    if (!members) return null;
    at = members.get(name);
  }
  return at;
}

function changed(text: string, path: Path, raw: string | undefined): string {
  const [step, ...rest] = path;
  const members = new Map(membersOf(text));
  if (!step) return text;
  const { name, isRequired } = step;
  const next = rest.length === 0 ? raw : changed(members.get(name) ?? '{}', rest, raw);
  const isEmptied = rest.length > 0 && raw === undefined && next === '{}' && !isRequired;
  if (next === undefined || isEmptied) members.delete(name);
  else members.set(name, next);
  const parts = Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`);
  return `{${parts.join(',')}}`;
}

/** The text with the member at the path set, or left out where `raw` is undefined. */
export const withMember = (text: string, path: Path, raw: string | undefined): string =>
  layOut(changed(text.trim() === '' ? '{}' : text, path, raw));
