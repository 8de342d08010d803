/** Views of screens that the person has named, kept in this browser. */

import { allBoards, ownBoard } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { basePath } from '../config.ts';
import { keptValue } from '../live/shared-value.ts';
import { printView } from '../view.ts';
import type { View } from '../view.ts';

export interface SavedView {
  /** Base path of the board that it belongs to. */
  readonly board: string;
  readonly name: string;
  /** Path below the base path. */
  readonly path: string;
  readonly search: View;
}

/** Views kept for a board. */
export const mostViews = 50;
export const longestName = 60;

const isText = (value: unknown): value is string => typeof value === 'string';

function isView(value: unknown): value is SavedView {
  const { board, name, path, search } = Object(value) as Record<string, unknown>;
  return (
    isText(board) &&
    isText(name) &&
    isText(path) &&
    path.startsWith('/') &&
    Object.values(Object(search) as object).every(isText)
  );
}

/** The views of all boards of this origin; those of another page are among them. */
const views = keptValue('sluice:views', (stored): readonly SavedView[] =>
  Array.isArray(stored) ? stored.filter(isView) : [],
);

export const useSavedViews = views.use;

const isSame = (left: SavedView, { board, name }: SavedView): boolean =>
  left.board === board && left.name === name;

/** Saves a view in place of one of the same name; the oldest views of the board go beyond the limit. */
export function saveView(view: SavedView): void {
  const others = views.get().filter((each) => each.board !== view.board);
  const own = views.get().filter((each) => each.board === view.board && !isSame(each, view));
  views.set([...others, ...own.slice(1 - mostViews), view]);
}

export function removeView(view: SavedView): void {
  views.set(views.get().filter((each) => !isSame(each, view)));
}

/** The content of the window, as a view of a board. A page of a list is a place in the view, and not a part of it. */
export function shownView(board: Board, name: string): SavedView {
  const {
    board: _board,
    cursor: _cursor,
    page: _page,
    // A view that is opened later tells times from then.
    asOf: _asOf,
    ...search
  } = Object.fromEntries(new URLSearchParams(location.search)) as View;
  return {
    board: board.basePath,
    name,
    path: location.pathname.slice(basePath.length) || '/',
    search,
  };
}

/** Where a view is on this page; undefined where the page does not have its board. */
export function targetOf({
  board,
  path,
  search,
}: SavedView): { readonly to: string; readonly search: View } | undefined {
  const found = allBoards.find((each) => each.basePath === board);
  return found && { to: path, search: { ...search, board: found.param } };
}

const nameMark = '#view=';

/** A link that shows the view to a colleague, and offers its name there. */
export function linkOf(view: SavedView): string {
  const { to, search } = targetOf(view) ?? { to: view.path, search: view.search };
  const address = `${location.origin}${ownBoard.basePath}${to}${printView(search)}`;
  return `${address}${nameMark}${encodeURIComponent(view.name)}`;
}

/** The name in the link that the window was opened with; empty without one. */
export function offeredName(): string {
  if (!location.hash.startsWith(nameMark)) return '';
  try {
    return decodeURIComponent(location.hash.slice(nameMark.length)).slice(0, longestName);
  } catch {
    return '';
  }
}
