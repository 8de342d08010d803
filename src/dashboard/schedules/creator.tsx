/** Makes a schedule: where, under which key, when, and with which data and options its jobs are added. */

import { useState } from 'react';

import { allBoards } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { t } from '../i18n/index.ts';
import {
  Field,
  FormDialog,
  JsonField,
  TextField,
  inputClass,
  rowClass,
} from '../kit/dialogs/form.tsx';
import { jsonProblem } from '../kit/json-text.ts';
import { createSchedule } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { Creatable } from './data.ts';
import { TimingFields } from './timing-fields.tsx';
import { missingTiming, useTiming } from './timing.ts';

const valueOf = ({ board, queue }: Creatable): string => JSON.stringify([board.basePath, queue]);

export function ScheduleCreator({
  queues,
  initial,
  words,
  close,
}: {
  /** The queues that may have new schedules. */
  readonly queues: readonly Creatable[];
  /** Queue to begin with. */
  readonly initial: string | undefined;
  readonly words: CronWords;
  readonly close: () => void;
}) {
  const [chosen, choose] = useState(() => {
    const first = queues.find(({ queue }) => queue === initial) ?? queues[0];
    return first ? valueOf(first) : '';
  });
  const target = queues.find((each) => valueOf(each) === chosen) ?? queues[0];
  const isKvq = target?.board.engine === 'kvq';
  const [key, setKey] = useState('');
  const [data, setData] = useState('{}');
  const [options, setOptions] = useState('{}');
  const edited = useTiming(target?.board, target?.queue ?? '', target?.preview ?? false, {
    kind: 'cron',
    expression: '',
    every: '',
    zone: '',
  });
  const { timing } = edited;
  const [dataProblem, optionsProblem] = [data, options].map(jsonProblem);
  // pg-boss has one schedule without a key.
  const needsKey = isKvq && key.trim() === '';
  const missing = needsKey
    ? t('schedules.needsKey')
    : timing === undefined
      ? missingTiming()
      : (dataProblem ?? optionsProblem);

  const save = async (refuse: (text: string) => void) =>
    target !== undefined &&
    timing !== undefined &&
    createSchedule(target, { key: key.trim(), timing, data, options }, (failure) =>
      refuse(failure.key === 'JOB_SCHEDULER_EXISTS' ? t('schedules.exists') : errorText(failure)),
    );
  return (
    <FormDialog
      wide
      title={t('schedules.new')}
      action={t('schedules.create')}
      icon="plus"
      missing={missing}
      close={close}
      send={save}
    >
      <div className={rowClass}>
        <Field label={t('schedules.queue')}>
          {(props) => (
            <select
              {...props}
              className={inputClass}
              value={chosen}
              onChange={({ target: { value } }) => choose(value)}
            >
              {allBoards.map((board) => {
                const own = queues.filter((each) => each.board === board);
                return (
                  own.length > 0 && (
                    <optgroup key={board.basePath} label={board.title}>
                      {own.map((each) => (
                        <option key={each.queue} value={valueOf(each)}>
                          {each.title}
                        </option>
                      ))}
                    </optgroup>
                  )
                );
              })}
            </select>
          )}
        </Field>
        <TextField
          label={t('schedules.keyLabel')}
          hint={isKvq ? undefined : t('schedules.keyHint')}
          value={key}
          spellCheck={false}
          mono
          onChange={({ target: { value } }) => setKey(value)}
        />
      </div>
      <TimingFields edited={edited} words={words} canChoose={isKvq} />
      <JsonField
        label={t('schedules.data')}
        rows={4}
        value={data}
        error={dataProblem}
        onChange={setData}
      />
      <JsonField
        label={t('schedules.options')}
        rows={2}
        value={options}
        error={optionsProblem}
        onChange={setOptions}
      />
    </FormDialog>
  );
}
