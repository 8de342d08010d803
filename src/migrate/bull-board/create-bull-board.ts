/** `createBullBoard`: a board of Sluice from the configuration of one of bull-board. */

import {
  type BoardOptions,
  type BoardUi,
  type KvqBoard,
  type KvqBoardConfig,
  type ServerAdapter,
  createBoard,
} from '../../board/index.ts';
import type { BullBoardAdapter } from './adapters.ts';

/** The appearance of a board of bull-board. */
export interface BullBoardUi extends Omit<BoardUi, 'environment' | 'theme'> {
  /** A mark of the environment; a size that is a number means pixels. */
  readonly environment?: Omit<NonNullable<BoardUi['environment']>, 'fontSize'> & {
    /** Size of the label: a number of pixels, or a size of CSS. Default: that of the page. */
    readonly fontSize?: string | number;
  };
  /** Colours by their names in bull-board; those that this dashboard does not have are ignored. Default: its own. */
  readonly theme?: {
    /** Colours of the light scheme. */
    readonly light?: Readonly<Record<string, string>>;
    /** Colours of the dark scheme. */
    readonly dark?: Readonly<Record<string, string>>;
  };
  /** Whether the details of Redis are hidden. Default `false`. */
  readonly hideRedisDetails?: boolean;
  /** Whether workers are shown. Default: as `showWorkers` of the options of `createBoard`. */
  readonly showWorkers?: boolean;
}

/** Options of a board of bull-board, and those of `createBoard`. */
export interface BullBoardOptions extends Omit<BoardOptions, 'ui'> {
  /** Appearance. Default: that of `createBoard`. */
  readonly uiConfig?: BullBoardUi;
  /** Ignored: the page is a part of the package. */
  readonly uiBasePath?: string;
}

/** Configuration of a board of bull-board. */
export interface BullBoardConfig {
  /** Queues, each made by `new BullMQAdapter(queue)` or `new BullAdapter(queue)`. */
  readonly queues: readonly BullBoardAdapter[];
  /** Mounts the board, such as an `ExpressAdapter` of `sluice/board`. */
  readonly serverAdapter: ServerAdapter;
  /** Behaviour and appearance. Default: that of `createBoard`. */
  readonly options?: BullBoardOptions;
  /** Authentication, made by `createAuthMiddleware`. Default `false`: middleware of the host stands in front, as before. */
  readonly auth?: Exclude<KvqBoardConfig['auth'], undefined>;
}

/** The methods of a board of bull-board, and the board. */
export interface BullBoard {
  /** The board, with its `close` and the methods of `createBoard`. */
  readonly board: KvqBoard;
  /** Adds queues or replaces those with the same names. */
  setQueues(queues: readonly BullBoardAdapter[]): void;
  /** Replaces all queues. */
  replaceQueues(queues: readonly BullBoardAdapter[]): void;
  /** Adds a queue or replaces the one with the same name. */
  addQueue(queue: BullBoardAdapter): void;
  /** Removes a queue from the board; its jobs are not changed. */
  removeQueue(queue: BullBoardAdapter | string): void;
}

/**
 * Makes a board from a configuration for bull-board, of which only the imports change.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 */
export function createBullBoard({
  queues,
  serverAdapter,
  options: { uiConfig, uiBasePath: _uiBasePath, ...options } = {},
  auth = false,
  ...others
}: BullBoardConfig): BullBoard {
  const { hideRedisDetails, showWorkers, environment, theme, ...ui } = uiConfig ?? {};
  const board = createBoard({
    // Members that nobody knows are refused there, by name.
    ...others,
    queues: queuesOf(queues),
    serverAdapter,
    auth,
    options: {
      ...options,
      ...(hideRedisDetails !== undefined && { hideKvDetails: hideRedisDetails }),
      ...(showWorkers !== undefined && { showWorkers }),
      ui: {
        ...ui,
        ...(environment && { environment: inPixels(environment) }),
        ...(theme && { theme: renamed(theme) }),
      },
    },
  });
  return {
    board,
    setQueues: (more) => board.setQueues(queuesOf(more)),
    replaceQueues: (others) => board.replaceQueues(queuesOf(others)),
    addQueue: (queue) => board.addQueue(queue.boardQueue()),
    removeQueue: (queue) =>
      board.removeQueue(typeof queue === 'string' ? queue : queue.boardQueue()),
  };
}

const queuesOf = (adapters: readonly BullBoardAdapter[]) =>
  adapters.map((adapter) => adapter.boardQueue());

function inPixels({
  fontSize,
  ...environment
}: NonNullable<BullBoardUi['environment']>): NonNullable<BoardUi['environment']> {
  if (fontSize === undefined) return environment;
  return { ...environment, fontSize: typeof fontSize === 'number' ? `${fontSize}px` : fontSize };
}

type Colors = NonNullable<NonNullable<BoardUi['theme']>['light']>;

/** The colours of bull-board that have the meaning of one of this dashboard. */
const colorNames: Readonly<Record<string, keyof Colors>> = {
  background: 'bg',
  card: 'panel',
  popover: 'raised',
  'state-hover': 'hover',
  'state-selected': 'selected',
  border: 'line',
  foreground: 'text',
  'muted-foreground': 'dim',
  primary: 'accent',
  'primary-foreground': 'on-accent',
  destructive: 'danger',
  'status-active': 'active',
  'status-waiting': 'waiting',
  'status-prioritized': 'prioritized',
  'status-delayed': 'delayed',
  'status-waiting-children': 'blocked',
  'status-completed': 'completed',
  'status-failed': 'failed',
};

/** A theme with the names of this dashboard. Members and values that are wrong are left for `createBoard` to refuse. */
function renamed(theme: NonNullable<BullBoardUi['theme']>): NonNullable<BoardUi['theme']> {
  const own = (colors: unknown): unknown => {
    if (typeof colors !== 'object' || colors === null || Array.isArray(colors)) return colors;
    const given = new Map(Object.entries(colors));
    return Object.fromEntries(
      Object.entries(colorNames)
        .filter(([theirs]) => given.has(theirs))
        .map(([theirs, ours]) => [ours, given.get(theirs)]),
    );
  };
  return Object.fromEntries(Object.entries(theme).map(([scheme, colors]) => [scheme, own(colors)]));
}
