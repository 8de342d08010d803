/**
 * Actions and their keys. An action is registered by the screen that can do it; the keyboard, the palette and the help
 * read the same list, so that every key is also a command with a name.
 */

import { useLayoutEffect, useRef } from 'react';

import { sharedValue } from '../live/shared-value.ts';
import { settings } from '../settings.ts';

export interface Action {
  readonly id: string;
  readonly title: string;
  /** Such as `r`, `g q`, `mod+k`, `shift+y`, `Enter`; several are separated by commas. */
  readonly keys?: string;
  readonly group: 'go' | 'view' | 'list' | 'job' | 'queue';
  /** Undefined when it cannot be done now. */
  readonly run: (() => void) | undefined;
  /** Whether it acts while a text is being typed. */
  readonly inText?: boolean;
  /** Whether it is left out of the palette, such as moving in a list. */
  readonly quiet?: boolean;
}

const registered = new Map<object, readonly Action[]>();
const list = sharedValue<readonly Action[]>([]);

export const { get: allActions, use: useAllActions } = list;

function changed(): void {
  // A later screen wins over an earlier one.
  const byId = new Map<string, Action>();
  for (const actions of registered.values())
    for (const action of actions) byId.set(action.id, action);
  list.set([...byId.values()]);
}

/** Does an action of another part of the page. */
export function runAction(id: string): void {
  allActions()
    .find((action) => action.id === id)
    ?.run?.();
}

/** Registers actions as long as the component is shown; the next key already finds those of the last drawing. */
export function useActions(actions: readonly Action[]): void {
  const owner = useRef({});
  useLayoutEffect(() => {
    registered.set(owner.current, actions);
    changed();
  });
  useLayoutEffect(() => {
    const key = owner.current;
    return () => {
      registered.delete(key);
      changed();
    };
  }, []);
}

/** Milliseconds in which the second key of a sequence is awaited. */
const sequenceMs = 1_200;

let pending = '';
let pendingSince = 0;

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

const shifted = (key: string): boolean => key.length > 1 || key.toLowerCase() !== key.toUpperCase();

function nameOf(event: KeyboardEvent): string {
  const key =
    event.key === ' ' ? 'space' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  // The shift of `?` is part of the key, that of `Y` is not.
  const shift = event.shiftKey && shifted(event.key);
  return `${mod ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${key}`;
}

function inText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=button])'))
  );
}

/** Keys that buttons, links and check boxes take for themselves. */
function takenByControl(target: EventTarget | null, name: string): boolean {
  return (
    target instanceof HTMLElement &&
    ((name === 'Enter' && target.matches('a, button, summary, [role=menuitem], [role=option]')) ||
      (name === 'space' && target.matches('button, input, summary, [role=menuitem], [role=tab]')))
  );
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  const typing = inText(event.target);
  // Dialogs and menus have their own keys.
  const layer = document.querySelector('dialog[open], [role=menu]') !== null;
  const single = !name.startsWith('mod+') && name !== 'Escape' && name !== 'Enter';
  if (single && !settings().singleKeys) return;
  const sequence =
    pending !== '' && event.timeStamp - pendingSince < sequenceMs ? `${pending} ${name}` : name;
  pending = '';
  const matching = (wanted: string) =>
    allActions().find(
      (action) =>
        action.run !== undefined &&
        (!typing || action.inText === true) &&
        (!layer || action.inText === true) &&
        action.keys?.split(', ').includes(wanted),
    );
  const action = matching(sequence) ?? matching(name);
  if (action && !takenByControl(event.target, name)) {
    event.preventDefault();
    action.run?.();
    return;
  }
  if (!typing && !layer && allActions().some(({ keys }) => keys?.startsWith(`${name} `))) {
    pending = name;
    pendingSince = event.timeStamp;
  }
}

export function startKeys(): void {
  document.addEventListener('keydown', onKey);
}

/** Keys as they are written on a keyboard. */
export function keyLabels(keys: string): readonly string[] {
  return (keys.split(', ')[0] ?? '').split(' ').map((key) =>
    key
      .replace('mod+', isMac ? '⌘' : 'Ctrl ')
      .replace('shift+', '⇧')
      .replace('Escape', 'Esc')
      .replace('space', '␣')
      .replace(/^Enter$/, '↵'),
  );
}
