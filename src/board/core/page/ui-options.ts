/** Options of the appearance of a board, and what the page is told of them. */

import { normalizeBasePath, type OptionRow, type OptionTableOf } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import type { EngineName, HistoryCapability } from '../../contract/index.ts';
import type { ResolvedOptions } from '../options.ts';

/** A board of a page that shows several. */
export interface BoardLink {
  /** Title in the menu of boards. */
  readonly title: string;
  /** Path of the board below the origin, such as `/admin/queues`. */
  readonly basePath: string;
  /** Engine of the board. */
  readonly engine: EngineName;
}

/** A picture, and its size in CSS pixels. */
export interface BoardLogo {
  /** An address of `http` or `https`, or a path. */
  readonly path: string;
  /** Default: its own width. */
  readonly width?: number;
  /** Default: its own height. */
  readonly height?: number;
}

/** A link in the menu. */
export interface MiscLink {
  /** Text of the link. */
  readonly text: string;
  /** An address of `http` or `https`, or a path. */
  readonly url: string;
  /** Address of a picture. Default none. */
  readonly icon?: string;
}

/** How dates are written, as options of `Intl.DateTimeFormat`. */
export interface DateFormats {
  /** Times of today. */
  readonly short?: Intl.DateTimeFormatOptions;
  /** Times of this year. */
  readonly common?: Intl.DateTimeFormatOptions;
  /** Any other time. */
  readonly full?: Intl.DateTimeFormatOptions;
}

/** A value that cannot end its declaration. */
const css = option.matching('a CSS value without any of ; { } < >', /^[^;{}<>]*$/);

/** The colours of the dashboard; each is a custom property of its style sheet. */
const colors = {
  bg: css,
  panel: css,
  raised: css,
  hover: css,
  selected: css,
  line: css,
  'line-strong': css,
  text: css,
  dim: css,
  accent: css,
  'accent-text': css,
  'on-accent': css,
  danger: css,
  'danger-bg': css,
  warn: css,
  'warn-bg': css,
  good: css,
  flash: css,
  active: css,
  waiting: css,
  prioritized: css,
  delayed: css,
  blocked: css,
  retry: css,
  completed: css,
  failed: css,
};

type ThemeColors = { readonly [Name in keyof typeof colors]?: string };

/** Appearance of a board. */
export interface BoardUi {
  /** Title of the dashboard and its window. Default `Sluice`. */
  readonly boardTitle?: string;
  /** Picture beside the title. Default none. */
  readonly boardLogo?: BoardLogo;
  /** Links in the menu. Default none. */
  readonly miscLinks?: readonly MiscLink[];
  /** Whether the link to the documentation is hidden. Default false. */
  readonly hideDocsLink?: boolean;
  /** Orders that the list of queues offers, instead of its own. Default: its own. */
  readonly queueSortOptions?: readonly {
    /** Name of the order. */
    readonly key: string;
    /** Text in the list of orders. */
    readonly label: string;
  }[];
  /** Icons of the window: the usual one, and one for browsers that do not show it. Default: that of Sluice. */
  readonly favIcon?: {
    /** Icon that browsers show by default. */
    readonly default?: string;
    /** Icon for browsers that do not show the other. */
    readonly alternative?: string;
  };
  /** Language of the dashboard, such as `de`. Default: that of the browser. */
  readonly locale?: {
    /** Language tag, such as `de`. */
    readonly lng?: string;
  };
  /** How dates are written. Default: as the language has them. */
  readonly dateFormats?: DateFormats;
  /** How often the dashboard reads: whether users may choose, and seconds that are not for them to choose. */
  readonly pollingInterval?: {
    /** Whether users may choose. Default true. */
    readonly showSetting?: boolean;
    /** Seconds between two reads, which users cannot change. */
    readonly forceInterval?: number;
  };
  /** Width of the menu, in CSS pixels or as a CSS length. */
  readonly menu?: {
    /** CSS pixels, or a CSS length. */
    readonly width?: number | string;
  };
  /** Whether the overview groups queues by the delimiter in their names. Default false. */
  readonly overview?: {
    /** Whether queues are grouped. Default false. */
    readonly groupByDelimiter?: boolean;
  };
  /** The part of a job that is shown first. Default `Data`. */
  readonly jobDetails?: {
    /** Name of the part. */
    readonly defaultTab?: 'Data' | 'Progress' | 'Options' | 'Logs' | 'Error' | 'Timeline';
  };
  /** Whether queues are listed by name. Default false: as the board has them. */
  readonly sortQueues?: boolean;
  /** Whether the metrics history is in the menu. Default: where a history provider is. */
  readonly showMetrics?: boolean;
  /** A mark that tells production from other environments. Default none. */
  readonly environment?: {
    /** Text of the mark. */
    readonly label: string;
    /** CSS colours. */
    readonly color?: string;
    /** CSS colour of the text. */
    readonly textColor?: string;
    /** A CSS length. */
    readonly fontSize?: string;
  };
  /** CSS colours of the dashboard by name, for the light and the dark scheme. Default: its own. */
  readonly theme?: {
    /** Colours of the light scheme. */
    readonly light?: ThemeColors;
    /** Colours of the dark scheme. */
    readonly dark?: ThemeColors;
  };
  /**
   * Boards that the dashboard shows together, on one origin: this one, at its own path, and others. Default: this board
   * only. `createBoard({ engines })` fills it in.
   */
  readonly boards?: readonly BoardLink[];
}

/** The path of a board below the origin. */
export const basePathRow: OptionRow = {
  expected: 'a path such as /admin/queues',
  fits: (value) => value === '' || normalizeBasePath(value) === value,
};

/** Base of relative addresses; only the protocol counts. */
const anyBase = 'https://board.invalid';

/** An address that a browser may load: it would run the text of one with `javascript:`. */
const address: OptionRow = {
  expected: 'an address of http or https, or a path',
  fits: (value) =>
    typeof value === 'string' &&
    URL.canParse(value, anyBase) &&
    ['http:', 'https:'].includes(new URL(value, anyBase).protocol),
};

const pixels = option.wholeNumber(1, 10_000);

const formats: OptionRow = {
  expected: 'options of Intl.DateTimeFormat',
  fits(value) {
    try {
      new Intl.DateTimeFormat('en', value as Intl.DateTimeFormatOptions).format(0);
      return option.plainObject.fits(value);
    } catch {
      return false;
    }
  },
};

const language: OptionRow = {
  expected: 'a language tag such as de',
  fits(value) {
    try {
      return typeof value === 'string' && Intl.getCanonicalLocales(value).length === 1;
    } catch {
      return false;
    }
  },
};

const many = (row: OptionRow, plural: string): OptionRow => option.listOf({ ...row, plural });

/** The types of the options; checked by `createBoard`. */
export const uiTable = {
  boardTitle: option.string,
  boardLogo: option.objectOf({
    path: option.required(address),
    width: pixels,
    height: pixels,
  } satisfies OptionTableOf<BoardLogo>),
  miscLinks: many(
    option.objectOf({
      text: option.required(option.nonEmptyString),
      url: option.required(address),
      icon: address,
    } satisfies OptionTableOf<MiscLink>),
    'links',
  ),
  hideDocsLink: option.boolean,
  queueSortOptions: many(
    option.objectOf({
      key: option.required(option.nonEmptyString),
      label: option.required(option.nonEmptyString),
    }),
    'orders',
  ),
  favIcon: option.objectOf({ default: address, alternative: address }),
  locale: option.objectOf({ lng: language }),
  dateFormats: option.objectOf({
    short: formats,
    common: formats,
    full: formats,
  } satisfies OptionTableOf<DateFormats>),
  pollingInterval: option.objectOf({
    showSetting: option.boolean,
    forceInterval: option.number(0, 86_400),
  }),
  menu: option.objectOf({ width: option.either(pixels, option.nonEmptyString) }),
  overview: option.objectOf({ groupByDelimiter: option.boolean }),
  jobDetails: option.objectOf({
    defaultTab: option.oneOf('Data', 'Progress', 'Options', 'Logs', 'Error', 'Timeline'),
  }),
  sortQueues: option.boolean,
  showMetrics: option.boolean,
  environment: option.objectOf({
    label: option.required(option.nonEmptyString),
    color: css,
    textColor: css,
    fontSize: css,
  }),
  theme: option.objectOf({ light: option.objectOf(colors), dark: option.objectOf(colors) }),
  boards: many(
    option.objectOf({
      title: option.required(option.nonEmptyString),
      basePath: option.required(basePathRow),
      engine: option.required(option.oneOf('kvq', 'pgq')),
    } satisfies OptionTableOf<BoardLink>),
    'boards',
  ),
} satisfies OptionTableOf<BoardUi>;

/** The options as the page receives them, with the defaults that do not depend on the board. */
export function shownUi(ui: BoardUi): Readonly<Record<string, unknown>> {
  return {
    ...ui,
    boardTitle: ui.boardTitle ?? 'Sluice',
    miscLinks: ui.miscLinks ?? [],
    hideDocsLink: ui.hideDocsLink ?? false,
    overview: { groupByDelimiter: ui.overview?.groupByDelimiter ?? false },
    sortQueues: ui.sortQueues ?? false,
  };
}

/** The configuration of the board for its page. */
export function uiConfigOf(
  engine: EngineName,
  { ui, hideKvDetails, showWorkers, readOnly, historyProvider }: ResolvedOptions,
  history: ReadonlySet<HistoryCapability>,
  hasAuth: boolean,
): Readonly<Record<string, unknown>> & { readonly boardTitle: string } {
  return Object.freeze({
    ...shownUi(ui),
    boardTitle: ui.boardTitle ?? 'Sluice',
    showMetrics: ui.showMetrics ?? history.has('getHistory'),
    hideKvDetails,
    showWorkers,
    engine,
    readOnly,
    hasAuth,
    historySource: historyProvider?.source,
    hasHistoryProvider: history.has('getHistory'),
    hasHistoryUsage: history.has('getUsage'),
    hasLatencyHistory: history.has('getLatency'),
    hasErrorGroups: history.has('getErrors'),
    hasAttention: history.has('attention'),
    hasDeployments: history.has('deployments'),
    canPurgeHistory: history.has('purge') && !readOnly,
  });
}
