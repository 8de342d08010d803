/** The commands of an error: on its jobs in a queue, and on its row. */

import { useAllowedIn } from '../actions/perform.ts';
import { toQueue } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import type { Many } from '../job/ask-many.tsx';
import { noRights, verbsOf } from '../job/verbs.ts';
import { IconButton } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { part } from '../kit/patient.ts';
import { useQueueInfos } from '../queue/info.ts';
import { filterOf } from '../queue/queue-commands.ts';
import { within } from '../queue/jobs.ts';
import { rangeText } from '../timeline/span.ts';
import type { StoredError } from './data.ts';
import { isMuted, setMuted, useMuted } from './muted.ts';

const Sheet = part(() => import('../queue/sheet.tsx'), 'Sheet');

/** Queues of an error of which the menu has commands. */
const commandQueues = 5;

/** A command on the jobs of an error in a queue. */
export interface Asked {
  readonly error: StoredError;
  readonly queueName: string;
  readonly verb: 'retry' | 'remove';
}

/** The filter of a queue's list for the jobs of an error. */
export const listOf = ({ board, search, span }: StoredError, queueName: string) =>
  toQueue(board, queueName, {
    state: 'failed',
    ...(search !== '' && { q: `error ~ ${JSON.stringify(search)}` }),
    ...(span && { from: String(span.from), to: String(span.to) }),
  });

/** Asks before a command, and counts its jobs. */
export function Ask({
  asked: { error, queueName, verb },
  close,
}: {
  readonly asked: Asked;
  readonly close: () => void;
}) {
  const { board, search, queues, span } = error;
  const filter = {
    ...filterOf(board, 'failed'),
    error: search,
    ...(span && within(board.engine, 'failed', span)),
  };
  const text = `error ~ ${JSON.stringify(search)}`;
  const many: Many = {
    verb,
    count: queues.get(queueName) ?? 0,
    states: ['failed'],
    queue: queueName,
    filter: span ? `${text} · ${rangeText(span)}` : text,
  };
  return (
    <Sheet
      board={board}
      queueName={queueName}
      many={many}
      filter={filter}
      close={close}
      run={(rate) =>
        void import('../queue/runs.ts').then(({ beginRun }) =>
          beginRun(board, queueName, verb, { filter }, { rate }),
        )
      }
    />
  );
}

/** The menu of an error. */
export function Actions({
  error,
  ask,
}: {
  readonly error: StoredError;
  readonly ask: (asked: Asked) => void;
}) {
  const { board, fingerprint, queues, search } = error;
  const isQuiet = isMuted(useMuted(), error);
  const names = [...queues].filter(([, count]) => count > 0).slice(0, commandQueues);
  const { infoOf } = useQueueInfos(board);
  const allowedIn = useAllowedIn(board);
  const may = (verb: Asked['verb'], queueName: string): boolean => {
    const { rights = noRights, allowed } = infoOf(queueName) ?? {};
    const isThere = verbsOf(board.engine, 'failed', rights).includes(verb);
    return isThere && allowedIn(queueName, allowed)(`jobs.${verb}`);
  };
  const commands = (['retry', 'remove'] as const).flatMap((verb): MenuItem[] =>
    // Without a part that all of its messages have, a command would take other jobs.
    (search === '' ? [] : names)
      .filter(([queueName]) => may(verb, queueName))
      .map(([queueName, count]) => ({
        id: `${verb} ${queueName}`,
        label: t(`inbox.${verb}`, { queue: queueName, count: exact(count) }),
        icon: verb === 'retry' ? 'retry' : 'trash',
        danger: verb === 'remove',
        run: () => ask({ error, queueName, verb }),
      })),
  );
  const [only, ...others] = commands.filter(({ icon }) => icon === 'retry');
  const address = `${location.origin}${location.pathname}?q=${fingerprint}`;
  return (
    <>
      {only && others.length === 0 && (
        <IconButton icon="retry" label={only.label} onClick={only.run} />
      )}
      <Menu
        label={t('inbox.actions', { error: error.error })}
        items={[
          ...commands,
          {
            id: 'mute',
            label: t(isQuiet ? 'inbox.unmute' : 'inbox.mute'),
            icon: 'bars',
            run: () => setMuted(error, !isQuiet),
          },
          {
            id: 'link',
            label: t('inbox.link'),
            icon: 'link',
            run: () => void copyText(address, error.error),
          },
        ]}
      />
    </>
  );
}
