/** The configuration that the server writes into the page. */

export interface BoardLink {
  readonly title: string;
  readonly basePath: string;
  readonly engine: 'kvq' | 'pgq';
  /** Whether the board compares its queues with thresholds of the host; not known of boards that a host lists. */
  readonly hasAttention?: boolean | undefined;
  /** Whether failures are kept and grouped by their error. */
  readonly hasErrorGroups?: boolean | undefined;
}

export interface UiConfig {
  readonly boardTitle: string;
  readonly engine: 'kvq' | 'pgq';
  readonly readOnly?: boolean;
  /** Whether the board knows who is signed in. */
  readonly hasAuth?: boolean;
  readonly hideKvDetails?: boolean;
  readonly showWorkers?: boolean;
  readonly hasHistoryProvider?: boolean;
  readonly hasHistoryUsage?: boolean;
  readonly hasLatencyHistory?: boolean;
  readonly canPurgeHistory?: boolean;
  readonly hasAttention?: boolean;
  readonly hasDeployments?: boolean;
  readonly hasErrorGroups?: boolean;
  readonly boards?: readonly BoardLink[];
  readonly boardLogo?: { readonly path: string; readonly width?: number; readonly height?: number };
  readonly miscLinks?: readonly { readonly text: string; readonly url: string }[];
  readonly locale?: { readonly lng?: string };
  readonly pollingInterval?: { readonly showSetting?: boolean; readonly forceInterval?: number };
  readonly overview?: { readonly groupByDelimiter?: boolean };
  readonly environment?: {
    readonly label: string;
    readonly color?: string;
    readonly textColor?: string;
  };
  readonly theme?: {
    readonly light?: Readonly<Record<string, string>>;
    readonly dark?: Readonly<Record<string, string>>;
  };
}

interface PageConfig {
  readonly basePath: string;
  readonly uiConfig: UiConfig;
}

function readConfig(): PageConfig {
  const text = document.getElementById('config')?.textContent;
  if (text) return JSON.parse(text) as PageConfig;
  // The development server serves the page without a board: `?base=/bullmq&engine=kvq`.
  const query = new URLSearchParams(location.search);
  return {
    basePath: query.get('base') ?? '',
    uiConfig: { boardTitle: 'Sluice', engine: query.get('engine') === 'pgq' ? 'pgq' : 'kvq' },
  };
}

export const { basePath, uiConfig } = readConfig();

/** The boards of this page, its own first. */
export const boards: readonly BoardLink[] = (() => {
  const { boardTitle: title, engine, hasAttention, hasErrorGroups } = uiConfig;
  const own: BoardLink = { title, basePath, engine, hasAttention, hasErrorGroups };
  const listed = uiConfig.boards ?? [];
  const named = listed.find((board) => board.basePath === basePath);
  return [{ ...own, ...named }, ...listed.filter((board) => board.basePath !== basePath)];
})();
