/** Makes a schedule: where, under which key, when, and with which data and options its jobs are added. */

import { useState } from 'react';

import { allBoards } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { JsonPart } from '../forms/json-part.tsx';
import { Modes } from '../forms/modes.tsx';
import { NameField } from '../forms/name-field.tsx';
import { useNewJob } from '../forms/new-job.ts';
import { addTexts, t } from '../i18n/index.ts';
import formTexts from '../i18n/messages/en/forms.json';
import { Field, FormDialog, TextField, inputClass, rowClass } from '../kit/dialogs/form.tsx';
import { createSchedule } from './commands.ts';
import type { CronWords } from './cron-words.ts';
import type { Creatable } from './data.ts';
import { TimingFields } from './timing-fields.tsx';
import { missingTiming, useTiming } from './timing.ts';

addTexts(formTexts);

const valueOf = ({ board, queue }: Creatable): string => JSON.stringify([board.basePath, queue]);

interface Creating {
  /** The queues that may have new schedules. */
  readonly queues: readonly Creatable[];
  readonly words: CronWords;
  readonly close: () => void;
}

/** @param initial queue to begin with */
export function ScheduleCreator({
  initial,
  ...creating
}: Creating & { readonly initial: string | undefined }) {
  const { queues } = creating;
  const [chosen, choose] = useState(() => {
    const first = queues.find(({ queue }) => queue === initial) ?? queues[0];
    return first ? valueOf(first) : '';
  });
  const target = queues.find((each) => valueOf(each) === chosen) ?? queues[0];
  return target && <Creator {...creating} target={target} choose={choose} />;
}

function Creator({
  queues,
  words,
  close,
  target,
  choose,
}: Creating & { readonly target: Creatable; readonly choose: (value: string) => void }) {
  const { board, queue } = target;
  const isKvq = board.engine === 'kvq';
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const job = useNewJob({ board, queueName: queue }, name, undefined, true);
  const edited = useTiming(board, queue, target.preview, {
    kind: 'cron',
    expression: '',
    every: '',
    zone: '',
  });
  const { timing } = edited;
  // pg-boss has one schedule without a key.
  const needsKey = isKvq && key.trim() === '';
  const missing = needsKey
    ? t('schedules.needsKey')
    : timing === undefined
      ? missingTiming()
      : job.problem;

  const save = async (refuse: (text: string) => void) =>
    timing !== undefined &&
    createSchedule(
      target,
      { key: key.trim(), name, timing, data: job.data.text, options: job.options.text },
      (failure) =>
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
              value={valueOf(target)}
              onChange={({ target: { value } }) => choose(value)}
            >
              {allBoards.map((each) => {
                const own = queues.filter((creatable) => creatable.board === each);
                return (
                  own.length > 0 && (
                    <optgroup key={each.basePath} label={each.title}>
                      {own.map((creatable) => (
                        <option key={creatable.queue} value={valueOf(creatable)}>
                          {creatable.title}
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
      {isKvq && (
        <NameField label={t('schedules.name')} value={name} names={job.names} onChange={setName} />
      )}
      <Modes mode={job.mode} choose={job.choose} />
      <JsonPart form={job.data} legend={t('add.fields')} label={t('schedules.data')} rows={4} />
      <JsonPart
        form={job.options}
        legend={t('add.optionFields')}
        label={t('schedules.options')}
        rows={2}
      />
    </FormDialog>
  );
}
